import { z } from 'zod';
import { OUR_EXTENSION } from '../formats/ossie/our-extension.ts';
import { CHECKS, QUERY_MATTER, SETTINGS, TEXT_MATTER } from './knowledge-files.ts';

/**
 * JSON Schemas (draft 2020-12) for editors, by the name of a file: `knowledge.yml`, front matter of queries and of
 * prose, `checks.json`, and the JSON of our extension of each object of Ossie.
 */
export function knowledgeSchemas(): Readonly<Record<string, object>> {
  const of = (schema: z.ZodType, title: string): object => ({ ...z.toJSONSchema(schema, { io: 'input' }), title });
  return {
    'knowledge.schema.json': of(SETTINGS, 'knowledge.yml'),
    'query.schema.json': of(QUERY_MATTER, 'Front matter of sql/*.md'),
    'text.schema.json': of(TEXT_MATTER, 'Front matter of rules, caveats, glossary and metrics'),
    'checks.schema.json': of(CHECKS, 'checks.json'),
    ...Object.fromEntries(
      Object.entries(OUR_EXTENSION).map(([carrier, schema]) => [
        `askema-${carrier}.schema.json`,
        of(schema, `The ASKEMA extension of a ${carrier}`),
      ]),
    ),
  };
}
