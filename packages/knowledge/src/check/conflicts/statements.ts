import { entryId, type Knowledge, type KnowledgeText } from '../../model/knowledge.ts';
import type { Place } from '../../model/standing.ts';
import { isEmpty } from './meaning-words.ts';

/** One thing that a text says. */
export interface Statement {
  readonly text: string;
  readonly entry: string;
  readonly kind: KnowledgeText['kind'];
  readonly place: Place;
}

/** Longer lines and statements are data, no prose. */
const MAX_LINE = 20_000;
const MAX_STATEMENT = 1_000;

/** Words with which a rule begins. In the middle of a line a new one begins with them. */
const BEGINS =
  'To|Always|Never|When|If|For|Use|Do|Match|Filter|Return|Include|Exclude|Ignore|Join|Count|Treat|Note|Assume|Only|' +
  'Truncate|Must';
/** `ARR = …`, `Net price (NP) = …`: at most four words and a name in brackets. */
const TERM = String.raw`[A-Z][\w%-]*(?: (?:[A-Z][\w%-]*|of|per|to)){0,3}(?: \([^()]{1,60}\))? ?(?:=|:)\s`;
const RUN_ON = new RegExp(String.raw`(?<=[a-z0-9)%"'\]]) (?=(?:(?:${BEGINS}) [a-z]|${TERM}))`);

/** A capital in the middle of a line, behind a word that asks for nothing more: somebody forgot the full stop. */
const NEW_SENTENCE = /(?<=\w{2,} [a-z]{2,} ([a-z]{2,})) (?=[A-Z][a-z]+ [a-z]{2,} )/g;

/**
 * The statements of rules, caveats, the glossary and notes: lines, list items and sentences. English only. Lines in
 * which several follow without a full stop are cut where a definition or a command begins.
 */
export function statementsOf(knowledge: Pick<Knowledge, 'texts'>): Statement[] {
  return knowledge.texts.flatMap(({ id, kind, title, text, standing }) => {
    const at = { entry: entryId(kind, id), kind, place: standing.place };
    const parts = text
      .replace(/^```[\s\S]*?^```/gm, '')
      .split('\n')
      .flatMap(sentencesOf);
    if (kind !== 'glossary') return parts.map((part) => ({ ...at, text: part }));
    // An entry of the glossary defines its title.
    return parts.map((part, index) => ({
      ...at,
      text: index === 0 && !isDefinition(part) ? `${title} = ${part}` : part,
    }));
  });
}

function sentencesOf(line: string): string[] {
  if (line.length > MAX_LINE) return [];
  return line
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')
    .split(/(?<=[\w)%"'\]`][.!?])\s+(?=[A-Z"`])|;\s+/)
    .flatMap((sentence) => sentence.split(RUN_ON))
    .flatMap((sentence) =>
      sentence.replace(NEW_SENTENCE, (blank, before: string) => (isEmpty(before) ? blank : '\n')).split('\n'),
    )
    .map((sentence) => sentence.trim().replace(/[.;]+$/, ''))
    .filter((sentence) => sentence !== '' && sentence.length <= MAX_STATEMENT);
}

function isDefinition(text: string): boolean {
  return /^[^=]{1,60}=|\b(is|are|means|refers to)\b/.test(text);
}
