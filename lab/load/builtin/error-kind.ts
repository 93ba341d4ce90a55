/** Codes whose own name says little, or which a reader would count as one. Others keep their code, such as ECONNREFUSED. */
const kinds: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect timeout',
  UND_ERR_SOCKET: 'connection closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'body cut short',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
};

/** The kind that an error of a request is counted under. */
export function errorKind(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code.startsWith('HPE_')) return 'not HTTP';
  return kinds[code] ?? code;
}
