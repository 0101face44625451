import type { BytesOptions } from './index.js'

/**
 * A response whose HTML has absolute references; it comes chunk by chunk. A response that is not HTML is
 * returned as it is, and so is part of a document (206). Status and headers stay, but for `content-length`.
 *
 * @param base By default the URL of the response.
 */
export function absolute(response: Response, base?: string | URL, options?: BytesOptions): Response
