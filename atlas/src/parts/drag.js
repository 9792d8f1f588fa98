/** A piece in a picture follows the pointer over the places that it can come to. */

/**
 * @param {PointerEvent} event that takes hold of the piece
 * @param {Element} g the piece
 * @param {{from: number, targets: number[], place: (target: number) => number[], scale: number, put: (target: number) => void,
 *   done: (target: number) => void}} piece `from` is where it stands, one of the targets; `place` gives x and y of one,
 *   `scale` their units for each pixel; `put` shows it there, `done` is called once where it was let go elsewhere
 */
export function drag(event, g, { from, targets, place, scale, put, done }) {
  const [x, y] = place(from)
  let at = from
  const follow = moved => {
    const pointer = [x + (moved.clientX - event.clientX) * scale, y + (moved.clientY - event.clientY) * scale]
    const far = to => Math.hypot(place(to)[0] - pointer[0], place(to)[1] - pointer[1])
    at = targets.reduce((best, to) => (far(to) < far(best) ? to : best))
    put(at)
  }
  const stop = () => {
    g.removeEventListener('pointermove', /** @type {any} */ (follow))
    g.classList.remove('held')
    if (at !== from) done(at)
  }
  g.setPointerCapture(event.pointerId)
  g.classList.add('held')
  g.addEventListener('pointermove', /** @type {any} */ (follow))
  g.addEventListener('pointerup', stop, { once: true })
  g.addEventListener('pointercancel', stop, { once: true })
}
