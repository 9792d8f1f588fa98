/** Plots, whose script comes when the first is drawn: most readers of a page never open one. */

import { script } from '../data/faults.js'

/** @param {import('./plot.js').Shown} shown */
export async function plot(shown) {
  return (await script(import('./plot.js'))).plot(shown)
}
