/** The datasets of the release, their titles and descriptions in the reader's language. */

import { script } from '../data/faults.js'
import { release } from '../data/release.js'
import { language } from '../i18n.js'

export const titled = async () => (language.now === 'zh' ? (await script(import('./titles.js'))).inChinese(release()) : release())
