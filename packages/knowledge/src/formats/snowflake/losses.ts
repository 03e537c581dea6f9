import type { AiContext, Extension } from '../../model/semantic-model.ts';
import type { Standing } from '../../model/standing.ts';

/** Notes that a part of an entry, or all of it, is not written. */
export type Lose = (entry: { readonly standing: Standing }, what: string, reason: string) => void;

/** Notes each of these parts that is there, and foreign extensions. */
export function loseParts(
  entry: { readonly standing: Standing },
  holder: { readonly ai?: AiContext | undefined; readonly extensions?: readonly Extension[] },
  name: string,
  lose: Lose,
  parts: Readonly<Record<string, unknown>>,
): void {
  const examples = holder.ai?.examples ?? [];
  const foreign = (holder.extensions ?? []).filter(({ vendor }) => vendor !== 'SNOWFLAKE');
  const extensions = Object.fromEntries(foreign.map(({ vendor }) => [`extension ${vendor}`, true]));
  for (const [part, value] of Object.entries<unknown>({ ...parts, examples, ...extensions })) {
    const isThere = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    if (isThere) lose(entry, `${name}: ${part}`, 'A semantic view has no place for it.');
  }
}
