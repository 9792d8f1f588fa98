/** The place of all next steps; they are read once the reader opens it, and then after every step. */

import { script } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { into } from '../parts/failure.js'

export class NextSteps {
  /** @param {(code: number) => void} go makes a step */
  constructor(go) {
    this.go = go
    this.code = 0
    this.list = h('div', { class: 'choices' })
    this.element = h('details', { class: 'next', ontoggle: () => this.show(this.code) }, h('summary', {}, t('klotski.next')), this.list)
  }

  /** @param {number} code */
  show(code) {
    this.code = code
    if (this.element.open) into(this.list, async () => (await script(import('./next.js'))).nextList(code, this.go))
  }
}
