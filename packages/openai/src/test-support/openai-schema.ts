import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '@askema/core';
import { Ajv2020 as Ajv, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DOCUMENT = `${process.env.ASKEMA_DATA ?? `${ROOT}../shared/data`}/openai-openapi/openapi.json`;
const SCHEMA_NAMES = {
  chat: 'CreateChatCompletionRequest',
  responses: 'CreateResponse',
  embeddings: 'CreateEmbeddingRequest',
} as const;

export type CheckBody = (body: JsonValue, protocol: string) => string[];

let made: CheckBody | undefined;

/**
 * Validates request bodies against OpenAI's own OpenAPI document, and refuses fields that it does not name: the
 * document allows unknown fields, the server does not. Undefined, with a loud note, when the document is not there.
 * Made once for all test files of a process.
 */
export function openAiBodyCheck(): CheckBody | undefined {
  if (!existsSync(DOCUMENT)) {
    process.stderr.write(
      `SKIPPED: request bodies are not validated, because ${DOCUMENT} is missing. Set ASKEMA_DATA to a folder that holds openai-openapi/openapi.json (github.com/openai/openai-openapi).\n`,
    );
    return undefined;
  }
  made ??= makeCheck();
  return made;
}

function makeCheck(): CheckBody {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'), (key, value) =>
    key === 'nullable' && typeof value === 'boolean' ? undefined : value,
  ) as { components: { schemas: Record<string, Schema> } };
  const ajv = new Ajv({ strict: false, allErrors: true, discriminator: false });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  return (body, protocol) => {
    const name = SCHEMA_NAMES[protocol as keyof typeof SCHEMA_NAMES];
    const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`);
    if (validate === undefined) return [`no schema for ${protocol}`];
    const known = fieldNames(document.components.schemas, name);
    return [
      ...(validate(body) ? [] : (validate.errors ?? []).map(sentence)),
      ...Object.keys(body as object).flatMap((field) => (known.has(field) ? [] : [`/${field} is unknown`])),
    ];
  };
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly (Schema & { readonly $ref?: string })[];
}

function fieldNames(schemas: Readonly<Record<string, Schema>>, name: string): Set<string> {
  const collect = (schema: Schema | undefined): string[] => [
    ...Object.keys(schema?.properties ?? {}),
    ...(schema?.allOf ?? []).flatMap((part) =>
      collect(part.$ref === undefined ? part : schemas[part.$ref.split('/').at(-1) ?? '']),
    ),
  ];
  return new Set(collect(schemas[name]));
}

function sentence(error: ErrorObject): string {
  return `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`;
}
