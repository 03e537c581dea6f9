import type { Frame, Measure, Modifier, Operand, Output, Phrase, ValueOperand } from '../interpret/frame.ts';
import type { Dimension } from '../lexicon/dimensions.ts';
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
  /** `wholeYear`: a column of years will do. */
  | { readonly kind: 'time'; readonly wholeYear: boolean; readonly text: string }
  | { readonly kind: 'verb'; readonly verb: TermMention }
);

/** What a phrase is used for, which decides what it may denote. */
type PhraseUsage = 'output' | 'counted' | 'number' | 'entity' | 'condition' | 'group';

/** All slots of a frame, parents before children, and the phrase that the question is about. */
export interface SlotTree {
  readonly slots: readonly Slot[];
  readonly subject: Phrase | undefined;
}

/** Finds what must be decided in a frame. */
export function slotsOf(frame: Frame): SlotTree {
  const subject = frame.subject ?? subjectOf(frame.outputs);
  const walk: Walk = { slots: [], visited: new Map() };
  const root = subject === undefined ? undefined : walkPhrase(walk, subject, undefined, 'entity');
  for (const output of frame.outputs) walkOutput(walk, output, root);
  for (const modifier of frame.modifiers) walkModifier(walk, modifier, root ?? walk.slots[0]);
  return { slots: walk.slots, subject };
}

/** The entity behind the last "of", or what is asked for when there is none. */
function subjectOf(outputs: readonly Output[]): Phrase | undefined {
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

/** The slots that were found so far, and the slot of each phrase that was visited. */
interface Walk {
  readonly slots: Slot[];
  readonly visited: Map<Phrase, Slot | undefined>;
}

function addSlot({ slots }: Walk, slot: Slot): Slot {
  const known = slots.find((other) => other.key === slot.key);
  if (known !== undefined) return known;
  slots.push(slot);
  return slot;
}

/** The slot of a phrase, or that of what it belongs to when it names nothing itself. */
function walkPhrase(walk: Walk, target: Phrase, parent: Slot | undefined, usage: PhraseUsage): Slot | undefined {
  if (walk.visited.has(target)) return walk.visited.get(target);
  walk.visited.set(target, undefined);
  const owner = target.owner === undefined ? parent : walkPhrase(walk, target.owner, parent, 'entity');
  const { head } = target;
  let here = owner;
  if (head !== undefined)
    here = addSlot(walk, { kind: 'phrase', key: target, parent: owner, phrase: target, head, usage });
  for (const value of target.values) {
    const slot = walkCell(walk, value, here, head !== undefined);
    here ??= slot;
    if (head === undefined && slot !== undefined && target.values[0] === value) here = slot;
  }
  walk.visited.set(target, here);
  for (const modifier of target.modifiers) walkModifier(walk, modifier, here);
  return here;
}

function walkCell(walk: Walk, value: ValueOperand, parent: Slot | undefined, beside: boolean): Slot | undefined {
  return value.kind === 'cell' ? addSlot(walk, { kind: 'cell', key: value, parent, operand: value, beside }) : parent;
}

function walkVerb(walk: Walk, verb: TermMention | undefined, parent: Slot | undefined): Slot | undefined {
  return verb === undefined ? parent : addSlot(walk, { kind: 'verb', key: verb, parent, verb });
}

function walkMeasure(walk: Walk, measure: Measure, parent: Slot | undefined): Slot | undefined {
  if (measure.kind === 'dimension') {
    const { dimension, summed = false } = measure;
    return addSlot(walk, { kind: 'dimension', key: measure, parent, dimension, summed });
  }
  if (measure.phrase === undefined) return parent;
  return walkPhrase(walk, measure.phrase, parent, measure.kind === 'count' ? 'counted' : 'number');
}

function walkOperand(walk: Walk, operand: Operand | undefined, parent: Slot | undefined): void {
  if (operand?.kind === 'cell') walkCell(walk, operand, parent, true);
  else if (operand?.kind === 'aggregate' && operand.phrase !== undefined)
    walkPhrase(walk, operand.phrase, parent, 'number');
}

function walkModifier(walk: Walk, modifier: Modifier, parent: Slot | undefined): void {
  switch (modifier.kind) {
    case 'related':
      walkPhrase(walk, modifier.phrase, walkVerb(walk, modifier.verb, parent), 'entity');
      return;
    case 'values': {
      const near = walkVerb(walk, modifier.verb, parent);
      const about = modifier.phrase === undefined ? near : walkPhrase(walk, modifier.phrase, near, 'condition');
      for (const value of modifier.values) walkCell(walk, value, about, about !== parent);
      return;
    }
    case 'compare': {
      const measured = walkMeasure(walk, modifier.measure, parent);
      walkOperand(walk, modifier.operand, measured);
      walkOperand(walk, modifier.upper, measured);
      return;
    }
    case 'flag':
    case 'like':
    case 'null':
      walkPhrase(walk, modifier.phrase, parent, 'condition');
      return;
    case 'superlative':
      walkMeasure(walk, modifier.measure, parent);
      return;
    case 'time':
      addSlot(walk, {
        kind: 'time',
        key: modifier,
        parent: walkVerb(walk, modifier.verb, parent),
        wholeYear: modifier.span.year !== undefined,
        text: modifier.text,
      });
      return;
    case 'time-group':
      addSlot(walk, {
        kind: 'time',
        key: modifier,
        parent: walkVerb(walk, modifier.verb, parent),
        wholeYear: modifier.unit === 'year',
        text: modifier.text,
      });
      return;
    case 'group':
      walkPhrase(walk, modifier.phrase, parent, 'group');
      return;
    case 'order':
      for (const key of modifier.keys) walkMeasure(walk, key.measure, parent);
      return;
    case 'all':
      for (const inner of modifier.modifiers) walkModifier(walk, inner, parent);
      return;
    case 'either':
      for (const option of modifier.options) for (const inner of option) walkModifier(walk, inner, parent);
  }
}

function walkOutput(walk: Walk, output: Output, root: Slot | undefined): void {
  if (output.phrase === undefined) return;
  const usage: PhraseUsage =
    output.kind === 'count' || output.kind === 'share' ? 'counted' : output.kind === 'aggregate' ? 'number' : 'output';
  const slot = walkPhrase(walk, output.phrase, root ?? walk.slots[0], usage);
  if (output.kind === 'share') walkModifier(walk, output.part, slot);
  if (output.kind === 'moment') walkVerb(walk, output.verb, slot);
  if (output.kind !== 'measure') return;
  const { dimension, summed = false } = output;
  addSlot(walk, { kind: 'dimension', key: output, parent: slot, dimension, summed });
}
