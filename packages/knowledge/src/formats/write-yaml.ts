import { Document, isScalar, Scalar, visit } from 'yaml';

/**
 * Texts on one line however long they are, and those of several lines as they stand. Reads the same as YAML 1.2 and as
 * 1.1, which the readers of dbt, Ossie and Snowflake speak.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  quoteTexts(document);
  return document.toString({ lineWidth: 0 }).replaceAll(SPECIAL, (one) => {
    const code = (one.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/**
 * Characters that YAML 1.1 forbids, or breaks lines at, and those that reorder or hide text in an editor: bidirectional
 * marks, zero-width ones but the joiners of scripts, and tags.
 */
const SPECIAL =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e00ff}]/gu;
const SPECIAL_OR_CONTROL = new RegExp(`[\\0-\\x09\\x0b-\\x1f]|${SPECIAL.source}`, 'u');
/** Blanks at ends of lines, which an editor would cut off, unseen. */
const BLANKS = /^[ \n]| (?:\n|$)/;
/** Truths, merges, dates and times of day, numbers to other bases. */
const OTHER_TYPES = /^(?:[yn]|yes|no|on|off|=|<<|[-+.]?\d[\d_:.,xob a-fTZ+-]*)$/i;

/** Puts texts into quotes that could be read as something else. */
export function quoteTexts(node: Parameters<typeof visit>[0]): void {
  visit(node, {
    Scalar(_, scalar) {
      const { value } = scalar;
      if (!isScalar(scalar) || typeof value !== 'string') return;
      if ([SPECIAL_OR_CONTROL, BLANKS, OTHER_TYPES].some((risk) => risk.test(value))) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
}
