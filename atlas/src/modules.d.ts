/** What the build makes of imports that are not scripts. */
declare module '*.css'
declare module 'strings:*' {
  const strings: Record<string, Record<string, string>>
  export default strings
}
declare module 'starts:*' {
  const starts: {name: string, pinyin: string, steps: number, drawing: string[]}[]
  export default starts
}
declare module 'boards:*' {
  const boards: Record<string, {title: string, grid: string, picture: string, problems: Record<string, {title?: string, start: string, goal: string}>}>
  export default boards
}
