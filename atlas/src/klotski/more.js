/** The pages of Klotski besides that of a layout, in a script of their own: they come when they are opened. */

export * from './classes.js'
export * from './daily.js'
export * from './editor.js'
export * from './gallery.js'
export * from './print.js'
