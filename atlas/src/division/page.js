export const show = () => 'soon'
