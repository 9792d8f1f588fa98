/** The statements of the claims in Chinese. */

export { default } from '../../strings/claims.zh.json'
