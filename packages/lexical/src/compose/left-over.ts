import type { Frame, Measure, Modifier, Operand, Output, Phrase } from '../interpret/frame.ts';

/**
 * Everything that a frame says: its modifiers and its values, also those inside others. Whoever builds a meaning must have used each
 * of them; one that is left over would be lost without a word.
 */
export function sayingsOf(frame: Frame): readonly object[] {
  const found = new Set<object>();
  const ofPhrase = (phrase: Phrase | undefined): void => {
    if (phrase === undefined || found.has(phrase)) return;
    found.add(phrase);
    for (const value of phrase.values) found.add(value);
    ofPhrase(phrase.owner);
    phrase.modifiers.forEach(ofModifier);
  };
  const ofMeasure = (measure: Measure): void => ofPhrase(measure.kind === 'dimension' ? undefined : measure.phrase);
  const ofOperand = (operand: Operand | undefined): void =>
    ofPhrase(operand?.kind === 'aggregate' ? operand.phrase : undefined);
  const ofModifier = (modifier: Modifier): void => {
    found.add(modifier);
    if ('phrase' in modifier) ofPhrase(modifier.phrase);
    if (modifier.kind === 'values') for (const value of modifier.values) found.add(value);
    else if (modifier.kind === 'superlative') ofMeasure(modifier.measure);
    else if (modifier.kind === 'all') modifier.modifiers.forEach(ofModifier);
    else if (modifier.kind === 'either') modifier.options.flat().forEach(ofModifier);
    else if (modifier.kind === 'order') for (const { measure } of modifier.keys) ofMeasure(measure);
    else if (modifier.kind === 'compare') {
      ofMeasure(modifier.measure);
      ofOperand(modifier.operand);
      ofOperand(modifier.upper);
    }
  };
  const ofOutput = (output: Output): void => ofPhrase(output.phrase);
  frame.outputs.forEach(ofOutput);
  frame.modifiers.forEach(ofModifier);
  ofPhrase(frame.subject);
  return [...found].filter((saying) => !('head' in saying || 'pronoun' in saying));
}
