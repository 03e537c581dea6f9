/** Scripts that tell a language by themselves. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];

/** Short words that are frequent in one language and rare or absent in the others. */
const FUNCTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['the', 'and', 'of', 'is', 'are', 'each', 'to', 'with', 'for', 'has', 'have', 'be', 'can', 'their', 'its', 'by'],
  de: ['der', 'die', 'das', 'und', 'ist', 'ein', 'eine', 'jeder', 'wird', 'werden', 'hat', 'mit', 'von', 'für', 'zu'],
  fr: ['le', 'la', 'les', 'des', 'et', 'est', 'une', 'chaque', 'avec', 'pour', 'dans', 'qui', 'du', 'sont', 'au'],
  es: ['el', 'los', 'las', 'y', 'es', 'una', 'cada', 'con', 'para', 'del', 'que', 'tiene', 'se', 'por', 'su'],
  it: ['il', 'gli', 'e', 'è', 'una', 'ogni', 'con', 'per', 'della', 'che', 'sono', 'ha', 'di', 'nel', 'dei'],
  pt: ['o', 'os', 'e', 'é', 'uma', 'cada', 'com', 'para', 'do', 'da', 'que', 'tem', 'são', 'em', 'um'],
  nl: ['de', 'het', 'en', 'is', 'een', 'elke', 'met', 'voor', 'van', 'die', 'heeft', 'wordt', 'zijn', 'te', 'op'],
};

/** Of the text; the beginning tells. */
const MAX_CHARACTERS = 20_000;

/**
 * The language of a text as a BCP 47 tag: by its script, for the Latin script by its function words; `und` where
 * neither tells. A mixed text counts as Chinese from a fifth of Han characters on, because identifiers and units are
 * Latin in every language.
 */
export function languageOf(text: string): string {
  const sample = text.slice(0, MAX_CHARACTERS);
  const letters = count(sample, /\p{L}/gu);
  if (letters === 0) return 'und';
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  if (kana * 10 > letters) return 'ja';
  const other = SCRIPTS.find(([, script]) => count(sample, script) * 3 > letters);
  if (other !== undefined) return other[0];
  if (han * 5 >= letters) return 'zh';
  return latinLanguageOf(sample);
}

function latinLanguageOf(sample: string): string {
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const frequencies = new Map<string, number>();
  for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  let best = { language: 'und', hits: 0 };
  for (const [language, list] of Object.entries(FUNCTION_WORDS)) {
    const hits = list.reduce((sum, word) => sum + (frequencies.get(word) ?? 0), 0);
    if (hits > best.hits) best = { language, hits };
  }
  return best.hits * 12 >= words.length ? best.language : 'und';
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
