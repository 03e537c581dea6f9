import { PLACE } from './check-prose.ts';

const UP_BEFORE =
  'rose|rises?|risen|rising|grew|grows?|grown|growing|growth|increase[sd]?|increasing|gain(?:s|ed)?|climb(?:s|ed)?|jump(?:s|ed)?|surge[sd]?|soar(?:s|ed)?|higher|greater|larger|up';
const DOWN_BEFORE =
  'fell|falls?|fallen|falling|drop(?:s|ped|ping)?|decrease[sd]?|decreasing|decline[sd]?|declining|shrank|shrunk|sank|lost|loss|plunge[sd]?|plummet(?:s|ed)?|slump(?:s|ed)?|reduction|lower|smaller|less|down';
const BEFORE = new RegExp(
  String.raw`\b(?:(${UP_BEFORE})|(${DOWN_BEFORE}))(?: \p{L}+ly)?(?: by| of)?(?: (?:\p{L}+ly|about|around|some|just|only))? $`,
  'iu',
);
const BEHIND = /^%?(?: percent)? (?:(more|higher|greater|larger|above)|(less|fewer|lower|smaller|below))\b/iu;
const DENIED = /\b(?:not(?! (?:only|just|merely)\b)|never|nor|neither|without)\b|n['’]t\b/iu;
/** A denial stands this many words before what it denies. */
const NEAR = 5;

/** Words that begin another statement, which the direction is not said of. */
const OTHER =
  '(?:and|or|but|while|whereas|though|although|as|when|if|that|which|who|whose|where|with|than|is|are|was|were|be|been|has|have|had)';
/** "in March", "from January to March": no verb stands in it. */
const PHRASE = String.raw`(?: (?:in|from|during|over|between|since|within|across|for|on|at|to)(?: (?!${OTHER}\b|\p{Ll}+(?:ing|ed)\b)[\p{L}\p{N}${PLACE}]+){1,8})`;
const NEARLY = String.raw`(?: (?:\p{L}+ly|about|around|some|just|only))?`;
const FAR = new RegExp(
  String.raw`\b(?:(${UP_BEFORE.replace(/\|up$/, '')})|(${DOWN_BEFORE.replace(/\|down$/, '')}))(?: \p{L}+ly)?${PHRASE},? by${NEARLY} $`,
  'u',
);
/** Between two marks of which the second goes on from the first: "fell by 5, or 10%", "by 5 in Italy and 7 in France". */
const GOES_ON = new RegExp(String.raw`^%?(?: percent)?(?:,? or|${PHRASE}?,? and| \(or| \()(?: by)?${NEARLY} ?$`, 'u');

/** Behind it no verb says something else of it. */
const ENDS = /^%?(?: percent)?(?:[.,;:)!?]|$| (?:in|from|during|over|between|since|within|across|for|on|at)\b)/u;

/** Where a mark of a difference or a change stands. */
export interface MarkPlace {
  /** All text before it, a place for each other mark. */
  readonly text: string;
  /** Text between it and the marks beside it. */
  readonly before: string;
  readonly behind: string;
  /** What the mark before it was said to do; undefined also for one that is no difference and no change. */
  readonly last: 1 | -1 | undefined;
}

/**
 * Whether the words of its sentence say of a mark that something rose (1) or fell (-1): right beside it, earlier where
 * nothing else can be meant, or of the mark that it goes on from. Undefined where none does, or where that is denied.
 */
export function directionOf({ text, before, behind, last }: MarkPlace): 1 | -1 | undefined {
  const beside = directionBeside(before, behind);
  if (beside !== undefined || isDenied(before)) return beside;
  if (last !== undefined && GOES_ON.test(before) && ENDS.test(behind)) return last;
  const far = FAR.exec(text);
  if (far === null || isDenied(text.slice(0, far.index))) return undefined;
  return far[1] !== undefined ? 1 : -1;
}

function directionBeside(before: string, behind: string): 1 | -1 | undefined {
  if (isDenied(before)) return undefined;
  const [, up, down] = BEFORE.exec(before) ?? BEHIND.exec(behind) ?? [];
  return up !== undefined ? 1 : down !== undefined ? -1 : undefined;
}

function isDenied(before: string): boolean {
  return DENIED.test(before.trim().split(' ').slice(-NEAR).join(' '));
}
