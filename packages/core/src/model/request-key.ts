import { createHash } from 'node:crypto';
import type { LanguageModel, ModelRequest } from './language-model.ts';

/**
 * SHA-256, in hexadecimal, over everything that an answer depends on: the model, the messages, the settings, the tools,
 * the output schema and `sample`. The call context does not count. Neither does the order of keys, but for schemas:
 * models write fields in the order in which a schema names them.
 */
export function requestKey(model: Pick<LanguageModel, 'provider' | 'modelId'>, request: ModelRequest): string {
  const identity = { provider: model.provider, modelId: model.modelId, ...requestFields(request) };
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}

/** The fields of a request that an answer depends on, as plain JSON; undefined ones are left out. */
export function requestFields(request: ModelRequest): Readonly<Record<string, unknown>> {
  const { context: _context, output, tools, ...rest } = request;
  const fields = {
    ...rest,
    output: output && { name: output.name, schema: JSON.stringify(output.schema) },
    tools: tools?.map(({ parameters, ...tool }) => ({ ...tool, parameters: JSON.stringify(parameters) })),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** JSON with the keys of every object in order; undefined fields are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** Walked here and not by a replacer, which takes the slow way through every text. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder((value as Record<string, unknown>)[key])]));
}
