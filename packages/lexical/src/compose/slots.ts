import type { Dimension } from '../lexicon/dimensions.ts';
import type { Frame, Measure, Modifier, Operand, Output, Phrase, TimeModifier, ValueOperand } from '../interpret/frame.ts';
import type { TermMention } from '../link/links.ts';

/** Where a denotation must be chosen. A child is near its parent in the schema: the parent is chosen first. */
export type Slot = {
  readonly parent: Slot | undefined;
  /** What the slot stands for; also the key under which the choice is found again. */
  readonly key: object;
} & (
  | { readonly kind: 'phrase'; readonly phrase: Phrase; readonly head: TermMention; readonly usage: PhraseUsage }
  | {
      readonly kind: 'cell';
      readonly operand: Extract<ValueOperand, { kind: 'cell' }>;
      /** True for a cell in apposition to its parent, or compared with it; false for one that only belongs to it. */
      readonly beside: boolean;
    }
  | { readonly kind: 'dimension'; readonly dimension: Dimension; readonly summed: boolean }
  | { readonly kind: 'time'; readonly modifier: TimeModifier }
  | { readonly kind: 'verb'; readonly verb: TermMention }
);

/** What a phrase is used for, which decides what it may denote. */
export type PhraseUsage = 'output' | 'counted' | 'number' | 'entity' | 'condition' | 'group';

/** All slots of a frame, parents before children, and the phrase that the question is about. */
export interface SlotTree {
  readonly slots: readonly Slot[];
  readonly subject: Phrase | undefined;
}

/** Finds what must be decided in a frame. */
export function slotsOf(frame: Frame): SlotTree {
  const subject = frame.subject ?? subjectOf(frame.outputs);
  const walker = createWalker();
  const root = subject === undefined ? undefined : walker.phrase(subject, undefined, 'entity');
  for (const output of frame.outputs) walker.output(output, root);
  for (const modifier of frame.modifiers) walker.modifier(modifier, root ?? walker.slots[0]);
  return { slots: walker.slots, subject };
}

/** The entity behind the last "of", or what is asked for when there is none. */
export function subjectOf(outputs: readonly Output[]): Phrase | undefined {
  const phrases = outputs.flatMap((output) => (output.phrase === undefined ? [] : [output.phrase]));
  const owned = phrases.filter((phrase) => phrase.owner !== undefined && rootOwner(phrase).owner === undefined);
  const last = owned[owned.length - 1];
  return last === undefined ? undefined : rootOwner(last);
}

/** The entity at the end of a chain of owners. */
export function rootOwner(phrase: Phrase): Phrase {
  return phrase.owner === undefined || isPronoun(phrase.owner) ? phrase : rootOwner(phrase.owner);
}

export function isPronoun(phrase: Phrase): boolean {
  return phrase.head === undefined && phrase.values.length === 0;
}

interface Walker {
  readonly slots: Slot[];
  phrase(phrase: Phrase, parent: Slot | undefined, usage: PhraseUsage): Slot | undefined;
  output(output: Output, root: Slot | undefined): void;
  modifier(modifier: Modifier, parent: Slot | undefined): void;
}

function createWalker(): Walker {
  const slots: Slot[] = [];
  const visited = new Map<object, Slot | undefined>();

  const add = (slot: Slot): Slot => {
    const known = slots.find((other) => other.key === slot.key);
    if (known !== undefined) return known;
    slots.push(slot);
    return slot;
  };

  const phrase: Walker['phrase'] = (target, parent, usage) => {
    if (visited.has(target)) return visited.get(target);
    visited.set(target, undefined);
    const owner = target.owner === undefined ? parent : phrase(target.owner, parent, 'entity');
    let here = owner;
    if (target.head !== undefined) here = add({ kind: 'phrase', key: target, parent: owner, phrase: target, head: target.head, usage });
    for (const value of target.values) {
      const slot = cell(value, here, target.head !== undefined);
      here ??= slot;
      if (target.head === undefined && slot !== undefined && target.values[0] === value) here = slot;
    }
    visited.set(target, here);
    for (const modifier of target.modifiers) walkModifier(modifier, here);
    return here;
  };

  const cell = (value: ValueOperand, parent: Slot | undefined, beside: boolean): Slot | undefined =>
    value.kind === 'cell' ? add({ kind: 'cell', key: value, parent, operand: value, beside }) : parent;

  const verbSlot = (verb: TermMention | undefined, parent: Slot | undefined): Slot | undefined =>
    verb === undefined ? parent : add({ kind: 'verb', key: verb, parent, verb });

  const measureSlot = (measure: Measure, parent: Slot | undefined): Slot | undefined => {
    if (measure.kind === 'dimension')
      return add({ kind: 'dimension', key: measure, parent, dimension: measure.dimension, summed: measure.summed ?? false });
    if (measure.phrase === undefined) return parent;
    return phrase(measure.phrase, parent, measure.kind === 'count' ? 'counted' : 'number');
  };

  const operandSlot = (operand: Operand, parent: Slot | undefined): void => {
    if (operand.kind === 'cell') cell(operand, parent, true);
    else if (operand.kind === 'aggregate' && operand.phrase !== undefined) phrase(operand.phrase, parent, 'number');
  };

  const walkModifier: Walker['modifier'] = (modifier, parent) => {
    switch (modifier.kind) {
      case 'related':
        phrase(modifier.phrase, verbSlot(modifier.verb, parent), 'entity');
        return;
      case 'values': {
        const near = verbSlot(modifier.verb, parent);
        const about = modifier.phrase === undefined ? near : phrase(modifier.phrase, near, 'condition');
        for (const value of modifier.values) cell(value, about, about !== parent);
        return;
      }
      case 'compare': {
        const measured = measureSlot(modifier.measure, parent);
        operandSlot(modifier.operand, measured);
        if (modifier.upper !== undefined) operandSlot(modifier.upper, measured);
        return;
      }
      case 'flag':
      case 'like':
      case 'null':
        phrase(modifier.phrase, parent, 'condition');
        return;
      case 'superlative':
        measureSlot(modifier.measure, parent);
        return;
      case 'time':
        add({ kind: 'time', key: modifier, parent: verbSlot(modifier.verb, parent), modifier });
        return;
      case 'group':
        phrase(modifier.phrase, parent, 'group');
        return;
      case 'order':
        for (const key of modifier.keys) measureSlot(key.measure, parent);
        return;
      case 'all':
        for (const inner of modifier.modifiers) walkModifier(inner, parent);
        return;
      case 'either':
        for (const option of modifier.options) for (const inner of option) walkModifier(inner, parent);
    }
  };

  const output: Walker['output'] = (asked, root) => {
    if (asked.phrase === undefined) return;
    const usage: PhraseUsage = asked.kind === 'count' ? 'counted' : asked.kind === 'aggregate' ? 'number' : 'output';
    const slot = phrase(asked.phrase, root ?? slots[0], usage);
    if (asked.kind === 'measure') add({ kind: 'dimension', key: asked, parent: slot, dimension: asked.dimension, summed: asked.summed ?? false });
    if (asked.kind === 'moment') verbSlot(asked.verb, slot);
  };

  return { slots, phrase, output, modifier: walkModifier };
}
