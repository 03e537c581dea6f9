import { PLACE } from './check-prose.ts';

const UP_BEFORE =
  'rose|rises?|risen|rising|grew|grows?|grown|growing|growth|increase[sd]?|increasing|gain(?:s|ed)?|climb(?:s|ed)?|jump(?:s|ed)?|up';
const DOWN_BEFORE =
  'fell|falls?|fallen|falling|drop(?:s|ped|ping)?|decrease[sd]?|decreasing|decline[sd]?|declining|shrank|shrunk|sank|lost|loss|down';
const BEFORE = new RegExp(String.raw`\b(?:(${UP_BEFORE})|(${DOWN_BEFORE}))(?: by| of)? $`, 'iu');
const BEHIND = /^%?(?: percent)? (?:(more|higher|greater|larger|above)|(less|fewer|lower|smaller|below))\b/iu;
const DENIED = /\b(?:not|never|no|nor|neither|without)\b|n['’]t\b/iu;

/** Whether a word right beside a mark says that something rose (1) or fell (-1); undefined where none does. */
export function directionBeside(before: string, behind: string): 1 | -1 | undefined {
  const sentence = before.slice(before.lastIndexOf('. ') + 1);
  if (DENIED.test(sentence)) return undefined;
  const [, up, down] = BEFORE.exec(sentence.replaceAll(PLACE, ' ')) ?? BEHIND.exec(behind) ?? [];
  return up !== undefined ? 1 : down !== undefined ? -1 : undefined;
}
