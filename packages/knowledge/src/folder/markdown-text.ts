import { isDeepStrictEqual } from 'node:util';
import { isMap, parseDocument } from 'yaml';
import { matterOf } from '../formats/front-matter.ts';
import { compact, withoutUndefined } from '../formats/plain-object.ts';
import { quoteTexts, yamlText } from '../formats/write-yaml.ts';
import type { KnowledgeText, VerifiedQuery } from '../model/knowledge.ts';

/** A verified query as the front matter of its file. */
export function queryMatter(query: VerifiedQuery): Readonly<Record<string, unknown>> {
  const { parameters, tags, standing } = query;
  return {
    ...compact({
      nl: query.question,
      sql: query.sql,
      source: standing.source === 'file' ? undefined : standing.source,
      tags,
      dialect: query.dialect,
      names: query.names === 'physical' ? undefined : query.names,
      parameters: parameters.map(withoutUndefined),
      verified_by: query.verifiedBy,
      verified_at: query.verifiedAt,
      onboarding: query.isOnboarding,
      expected: query.expected && withoutUndefined(query.expected),
      owner: standing.owner,
    }),
    ...query.other,
  };
}

export function textMatter(text: KnowledgeText): Readonly<Record<string, unknown>> {
  const { appliesTo, priority, standing } = text;
  return compact({
    applies_to: appliesTo,
    priority: priority === 0 ? undefined : priority,
    source: standing.source === 'file' ? undefined : standing.source,
    owner: standing.owner,
  });
}

/** A file of Markdown with this front matter, if there is any. */
export function markdown(matter: Readonly<Record<string, unknown>>, body: string): string {
  const head = Object.keys(matter).length === 0 ? '' : `---\n${yamlText(matter)}---\n`;
  return `${head}${body === '' ? '' : `${body.trim()}\n`}`;
}

/** The file with these keys of its front matter set; its comments, its other keys and its body stay. */
export function withMatter(text: string, values: Readonly<Record<string, unknown>>): string {
  const found = matterOf(text);
  if (found === undefined) return markdown(values, text);
  const document = parseDocument(found.yaml, { merge: true, stringKeys: true });
  const before = isMap(document.contents) ? (document.toJS() as Readonly<Record<string, unknown>>) : {};
  for (const [key, value] of Object.entries(values))
    if (!isDeepStrictEqual(before[key], value)) {
      const node = document.createNode(value);
      quoteTexts(node);
      document.set(key, node);
    }
  return `---\n${document.toString({ lineWidth: 0 })}---\n${text.slice(found.length)}`;
}
