import { createHash } from 'node:crypto';
import type { LanguageModel, ModelRequest } from '../language-model.ts';
import { requestKey } from '../request-key.ts';

/**
 * The header by which a gateway, or a vendor, can tell that a paid request is sent again: retries have it in common,
 * and so has the same call of a run that another process takes up. 64 hexadecimal digits over the context's
 * `idempotencyKey` and all that the answer depends on; nothing can be read from them. The name is that of
 * draft-ietf-httpapi-idempotency-key-header; servers that do not know it leave it alone.
 */
export function idempotencyHeader(
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  request: ModelRequest,
): { readonly 'Idempotency-Key': string } {
  const hash = createHash('sha256').update(`${request.context.idempotencyKey}\n${requestKey(model, request)}`);
  return { 'Idempotency-Key': hash.digest('hex') };
}
