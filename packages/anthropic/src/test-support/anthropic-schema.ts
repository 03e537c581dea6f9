import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '@askema/core';
import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';

const SDK = new URL('../../node_modules/@anthropic-ai/sdk/', import.meta.url);
const CACHE = new URL('../../node_modules/.cache/', import.meta.url);

export type CheckBody = (body: JsonValue) => string[];

let made: CheckBody | undefined;

/**
 * Validates request bodies against a JSON Schema that is made from the SDK's own types, unknown fields refused:
 * Anthropic publishes no schema. Making it takes some seconds, so it is kept under the version of the SDK, and what
 * checks is made once for all test files of a process.
 *
 * The sampling settings are left out of the check: the SDK no longer types them, older models still take them.
 */
export function anthropicBodyCheck(): CheckBody {
  made ??= makeCheck();
  return made;
}

function makeCheck(): CheckBody {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schemaOfBodies());
  return (body) => {
    const { temperature: _temperature, top_p: _topP, ...typed } = body as Record<string, JsonValue>;
    return validate(typed) ? [] : (validate.errors ?? []).map(sentence);
  };
}

function schemaOfBodies(): AnySchemaObject {
  const { version } = JSON.parse(readFileSync(new URL('package.json', SDK), 'utf8')) as { version: string };
  const cached = new URL(`anthropic-sdk-${version}.json`, CACHE);
  try {
    return JSON.parse(readFileSync(cached, 'utf8')) as AnySchemaObject;
  } catch {
    const schema = createGenerator({
      path: fileURLToPath(new URL('resources/messages/messages.d.ts', SDK)),
      type: 'MessageCreateParams',
      skipTypeCheck: true,
      additionalProperties: false,
    }).createSchema('MessageCreateParams');
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(cached, JSON.stringify(schema));
    return schema as AnySchemaObject;
  }
}

function sentence(error: ErrorObject): string {
  return `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`;
}
