const UP_BEFORE =
  'rose|rises?|risen|rising|grew|grows?|grown|growing|growth|increase[sd]?|increasing|gain(?:s|ed)?|climb(?:s|ed)?|jump(?:s|ed)?|surge[sd]?|soar(?:s|ed)?|up';
const DOWN_BEFORE =
  'fell|falls?|fallen|falling|drop(?:s|ped|ping)?|decrease[sd]?|decreasing|decline[sd]?|declining|shrank|shrunk|sank|lost|loss|plunge[sd]?|plummet(?:s|ed)?|slump(?:s|ed)?|reduction|down';
const BEFORE = new RegExp(
  String.raw`\b(?:(${UP_BEFORE})|(${DOWN_BEFORE}))(?: \p{L}+ly)?(?: by| of)?(?: (?:\p{L}+ly|about|around|some|just|only))? $`,
  'iu',
);
const BEHIND = /^%?(?: percent)? (?:(more|higher|greater|larger|above)|(less|fewer|lower|smaller|below))\b/iu;
const DENIED = /\b(?:not(?! (?:only|just|merely)\b)|never|nor|neither|without)\b|n['’]t\b/iu;
/** A denial stands this many words before what it denies. */
const NEAR = 5;

/**
 * Whether a word right beside a mark says that something rose (1) or fell (-1); undefined where none does, or where that
 * is denied.
 */
export function directionBeside(before: string, behind: string): 1 | -1 | undefined {
  if (DENIED.test(before.trim().split(' ').slice(-NEAR).join(' '))) return undefined;
  const [, up, down] = BEFORE.exec(before) ?? BEHIND.exec(behind) ?? [];
  return up !== undefined ? 1 : down !== undefined ? -1 : undefined;
}
