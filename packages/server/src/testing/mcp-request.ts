/** Of a client of 2026-07-28 that can show forms. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** A request to `/mcp` by hand, as a client of 2026-07-28 sends it. */
export function rpcOf(method: string, params: object) {
  const { name, uri } = params as { readonly name?: string; readonly uri?: string };
  const named = name ?? uri;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
  };
}
