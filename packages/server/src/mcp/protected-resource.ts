import { SCOPES } from '../contract.ts';

/** Where clients read who gives tokens for the server: RFC 9728, section 3.1, for the resource `/mcp`. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

export interface ProtectedResource {
  /** The address of the endpoint as clients write it: `https://data.example.com/mcp`. */
  readonly resource: string;
  /** Issuers whose tokens it takes: those of `jwtAuth`. */
  readonly authorizationServers: readonly string[];
}

/** The metadata of RFC 9728, section 2. It names no database and no caller. */
export function protectedResource({ resource, authorizationServers }: ProtectedResource): Response {
  return Response.json(
    {
      resource,
      ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Askema',
    },
    { headers: { 'cache-control': 'max-age=3600' } },
  );
}

/** A 401 that says where the metadata is: RFC 9728, section 5.1. Other responses stay as they are. */
export function challenged(response: Response, resource: string): Response {
  if (response.status !== 401) return response;
  const headers = new Headers(response.headers);
  const metadata = metadataOf(resource);
  headers.set('www-authenticate', `Bearer resource_metadata="${metadata}"`);
  return new Response(response.body, { status: response.status, headers });
}

/** Where the server itself answers: beside the endpoint, behind what stands before both. */
function metadataOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  const [, before = ''] = /^(.*)\/mcp$/.exec(pathname) ?? [];
  return origin + before + METADATA_PATH;
}
