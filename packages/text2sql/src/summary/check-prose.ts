/** Where a mark stood: no text has it, because characters for private use are taken out before. */
export const PLACE = '\u{e000}';

/** What prose may say beside its marks. */
export interface ProseFacts {
  readonly questions: readonly string[];
  /** Cells and names of columns as text: what may stand in quotes. */
  readonly quotable: readonly string[];
}

/**
 * Why prose with its marks taken out cannot be taken; empty where it can. Numbers in words are known in English alone.
 */
export function checkProse(written: string, { questions, quotable }: ProseFacts): readonly string[] {
  const prose = plainLetters(written);
  if (prose.trim() === '') return ['there is no text'];
  const reasons = new Set<string>();
  if (/\[\[|\]\]/.test(prose)) reasons.add('brackets stand where there is no mark');
  if (MARKUP.test(prose)) reasons.add('it holds markup: write plain sentences');
  if (LINK.test(prose)) reasons.add('it holds a link');
  const asked = new Set(questions.flatMap(numbersIn));
  for (const number of numbersIn(prose))
    if (!asked.has(number)) reasons.add(`"${number}" is a number outside of a mark`);
  if ((prose.split('"').length - 1) % 2 !== 0) reasons.add('a quotation mark stands alone');
  for (const quoted of quotesIn(prose))
    if (![...questions, ...quotable].some((known) => known.toLowerCase().includes(quoted.toLowerCase())))
      reasons.add(`"${quoted}" stands in quotes, and no cell and no question has it`);
  return [...reasons];
}

/** Letters that look like others, such as bold ones for formulas, as those; so the words below are known in them. */
function plainLetters(text: string): string {
  return text.replaceAll(/[\p{L}\p{So}＂]/gu, (letter) => letter.normalize('NFKC'));
}

const MARKUP = /[<`*]|\]\(|~~|!\[|__|&(?:#\w+|[a-z]{2,20});|^\s*(?:#|\||>)/u;
const LINK = new RegExp(String.raw`://|\bwww\.|\bmailto:|(?:\p{L}{2}|${PLACE})\.\p{L}{2}`, 'iu');

const CARDINALS =
  'zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety';
const LARGE = 'dozens?|hundreds?|thousands?|millions?|billions?|trillions?|lakhs?|crores?';
const TIMES =
  'twice|thrice|minus|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing)|quintupl(?:e|es|ed|ing)|trebl(?:e|es|ed|ing)|nil|nought';
const FOLD = '(?:two|three|four|five|six|seven|eight|nine|ten|hundred|thousand)fold';
const SHARES = 'half|halves|halved|halving|thirds';
const WORDED = new RegExp(`^(?:${CARDINALS}|${LARGE}|${TIMES}|${FOLD}|${SHARES})$`, 'i');
/** A third or a quarter of something; the third quarter of a year is none. */
const SHARE = /\b(?:a|one)[\s-](?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)\b/giu;
const SIGN = String.raw`((?<![\p{L}\p{N})\]])(?:[\p{Pd}\p{Sm}.,%٪]|−\s))?`;
const DIGITS_OR_WORD = String.raw`([\p{Script=Latin}\p{N}\p{M}🔟]+(?:[.,'’·٫٬_^]\p{N}+)*)`;
const UNIT = String.raw`((?<=\p{N})(?:\s|-)?(?:[%％﹪٪‰‱]|percent\b|per cent\b|times\b|fold\b))?`;
/** A word or a number, with what makes another number of it. */
const WORD = new RegExp(`${SIGN}${DIGITS_OR_WORD}${UNIT}`, 'giu');

/** The numbers of a text in one form, so that those of two texts can be compared. */
function numbersIn(text: string): readonly string[] {
  const numbers = [...text.matchAll(SHARE)].map(([share]) => share);
  for (const [, point = '', word = '', unit = ''] of text.matchAll(WORD))
    if (WORDED.test(word.normalize('NFD').replaceAll(/\p{M}/gu, ''))) numbers.push(word);
    else if (/[\p{N}🔟]/u.test(word)) numbers.push(`${point}${word}${unit}`);
  return numbers.map((number) => number.toLowerCase().replaceAll(/(?<=.)[\s-]+/g, ' '));
}

const QUOTES =
  /"([^"]*)"|[“„”‟〝❝]([^“„”‟〝〞❝❞]*)[”“‟〞❞]|[«»‹›「『]([^«»‹›「」『』]*)[»«›‹」』]|(?<![\p{L}\p{N}])['‘‚′]([^'‘’‚′]+)['’′](?![\p{L}\p{N}])/gu;

/** What stands in quotes, but for marks that stand there alone. */
function quotesIn(prose: string): readonly string[] {
  return [...prose.matchAll(QUOTES)]
    .map((found) => (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').trim())
    .filter((quoted) => quoted.replaceAll(PLACE, '').trim() !== '');
}
