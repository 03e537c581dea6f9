import type { LikeModifier, Modifier, Phrase, TimeModifier, ValueOperand } from '../interpret/frame.ts';
import { negateComparison } from '../lexicon/comparisons.ts';
import type { TermMention } from '../link/links.ts';
import { attributeClass, isYear } from './attribute-class.ts';
import { enterPhrase } from './build.ts';
import { applyCompare, applyTime } from './build-comparisons.ts';
import { addFlag, addHappened, applyRelated, attributeOf, REQUIRED } from './build-related.ts';
import { applySuperlative, orderMeasure } from './build-superlatives.ts';
import { applyValues, checkAway } from './build-values.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, noteTime, reachCandidate, type Target } from './builder.ts';
import { reachableNodes } from './entity-tree.ts';
import { createNode } from './meaning.ts';

/** What a modifier says of a target, put into the meaning. */
export function applyModifier(builder: Builder, modifier: Modifier, target: Target, phrase: Phrase | undefined): void {
  builder.used.add(modifier);
  switch (modifier.kind) {
    case 'related':
      applyRelated(builder, modifier, target);
      return;
    case 'values': {
      const { verb, values, connective, negated } = modifier;
      // "booked both A and B": no one booking is of both.
      if (
        verb !== undefined &&
        connective === 'all' &&
        !negated &&
        values.length > 1 &&
        hasMany(builder, verb, target)
      ) {
        for (const value of values)
          applyValues(
            builder,
            { values: [value], connective, negated },
            aboutOf(builder, modifier.phrase, verb, target),
          );
        return;
      }
      const about = aboutOf(builder, modifier.phrase, verb, target);
      if (modifier.phrase === undefined) checkSaid(builder, values, verb);
      checkAway(builder, values, target, about);
      if (negated) checkOne(builder, target, about);
      applyValues(builder, modifier, about);
      return;
    }
    case 'compare':
      applyCompare(builder, modifier, target);
      return;
    case 'like':
      applyLike(builder, modifier, target);
      return;
    case 'flag': {
      const about = enterPhrase(builder, modifier.phrase, target.node);
      if (modifier.negated) checkOne(builder, target, about);
      addFlag(builder, about, modifier.negated);
      return;
    }
    case 'null': {
      const about = enterPhrase(builder, modifier.phrase, target.node);
      const attribute = about.candidate?.attribute;
      if (attribute === undefined) builder.problems.push('a missing value of something that is no attribute');
      else about.node.conditions.push({ kind: 'null', attribute, negated: modifier.negated });
      return;
    }
    case 'superlative':
      applySuperlative(builder, modifier, target, phrase);
      return;
    case 'time':
      applyWhen(builder, modifier, target);
      return;
    case 'group': {
      const about = enterPhrase(builder, modifier.phrase, target.node);
      builder.groups.push({ node: about.node, attribute: attributeOf(about) });
      return;
    }
    case 'time-group': {
      const candidate = choiceOf(builder, modifier);
      if (candidate?.attribute === undefined) {
        builder.problems.push(`the ${modifier.text}`);
        return;
      }
      checkMoment(builder, modifier.verb);
      const about = aboutOf(builder, undefined, modifier.verb, target);
      const node = reachCandidate(builder, about.node, candidate, ATTRIBUTE_LINK);
      const isTime = attributeClass(candidate.attribute, builder.linked) === 'time';
      noteTime(builder, candidate, false);
      builder.groups.push({ node, attribute: candidate.attribute, ...(isTime ? { unit: modifier.unit } : {}) });
      return;
    }
    case 'order':
      for (const key of modifier.keys) {
        const isTop = phrase !== undefined && (phrase.top || phrase.count !== undefined);
        const measure = orderMeasure(builder, key.measure, target, isTop);
        if (modifier.loose && !isTop && typeof measure === 'object' && measure.node !== target.node)
          builder.problems.push('whether to sort or to group');
        builder.orders.push({ measure, direction: key.direction ?? (isTop ? 'descending' : 'ascending') });
      }
      return;
    case 'all':
      for (const inner of modifier.modifiers) applyModifier(builder, inner, target, phrase);
      return;
    case 'either':
      applyEither(builder, modifier.options, target, phrase);
  }
}

/** True where a row of the target may have many of what the verb names. */
function hasMany(builder: Builder, verb: object, target: Target): boolean {
  const candidate = choiceOf(builder, verb);
  const route = builder.linked.graph.routes(target.node.relation, candidate?.at ?? target.node.relation)[0] ?? [];
  return route.some(({ functional }) => !functional);
}

/** "passed the course X" beside a column that says whether it was passed: more is said than that both belong together. */
export function checkSaid(builder: Builder, values: readonly ValueOperand[], verb: TermMention | undefined): void {
  const said = verb === undefined ? undefined : choiceOf(builder, verb);
  if (verb === undefined || said?.attribute === undefined || said.role !== undefined) return;
  if (attributeClass(said.attribute, builder.linked) === 'time') return;
  for (const value of values)
    if (value.kind === 'cell' && choiceOf(builder, value)?.attribute !== said.attribute)
      builder.problems.push(`what '${verb.text}' says of ${value.mention.text}`);
}

/** That one of many is not so is another thing than that none is: "not playing cartoons written by X". */
function checkOne(builder: Builder, target: Target, about: Target): void {
  if (!reachableNodes(target.node).has(about.node)) builder.problems.push('whether one or none of many is meant');
}

/** "cancelled in 2024" beside a column that says whether it was: the time says nothing of that. */
function checkMoment(builder: Builder, verb: TimeModifier['verb']): void {
  const candidate = verb === undefined ? undefined : choiceOf(builder, verb);
  const attribute = candidate?.role === undefined ? candidate?.attribute : undefined;
  if (attribute === undefined || attributeClass(attribute, builder.linked) === 'time') return;
  if (!isYear(attribute, builder.linked)) builder.problems.push(`when it was ${verb?.text ?? 'so'}`);
}

/** "ordered in 2024"; "did not order in 2024" is said of all orders, "were not hired in 2024" of one date. */
function applyWhen(builder: Builder, modifier: TimeModifier, target: Target): void {
  const { negated, verb } = modifier;
  checkMoment(builder, verb);
  if (!negated) {
    applyTime(builder, modifier, aboutOf(builder, undefined, verb, target));
    return;
  }
  const candidate = verb === undefined ? undefined : choiceOf(builder, verb);
  if (candidate !== undefined && verb !== undefined && hasMany(builder, verb, target)) {
    const none = { quantifier: { kind: 'none' }, required: true, shared: false } as const;
    applyTime(builder, modifier, { node: reachCandidate(builder, target.node, candidate, none), candidate });
    return;
  }
  if (modifier.comparison === '=') builder.problems.push(`what was not ${modifier.text}`);
  const comparison = negateComparison(modifier.comparison);
  applyTime(builder, { ...modifier, comparison }, aboutOf(builder, undefined, verb, target));
}

/** A piece of text in an attribute of text. Wildcards inside the piece cannot be escaped in all dialects. */
function applyLike(builder: Builder, modifier: LikeModifier, target: Target): void {
  const { phrase, position, text, negated } = modifier;
  const about = enterPhrase(builder, phrase, target.node);
  const attribute = about.candidate?.attribute;
  if (attribute === undefined || attributeClass(attribute, builder.linked) !== 'text' || /[%_]/u.test(text))
    builder.problems.push(`the text pattern '${text}'`);
  else if (negated && !reachableNodes(target.node).has(about.node)) checkOne(builder, target, about);
  else about.node.conditions.push({ kind: 'like', attribute, pattern: patternOf(position, text), negated });
}

function patternOf(position: 'start' | 'end' | 'inside', text: string): string {
  return `${position === 'start' ? '' : '%'}${text}${position === 'end' ? '' : '%'}`;
}

/** What values or times are said of: an attribute that is named, a verb that names one, or the target itself. */
function aboutOf(builder: Builder, phrase: Phrase | undefined, verb: object | undefined, target: Target): Target {
  const candidate = verb === undefined ? undefined : choiceOf(builder, verb);
  const near: Target =
    candidate === undefined ? target : { node: reachCandidate(builder, target.node, candidate, REQUIRED), candidate };
  if (candidate !== undefined) {
    addHappened(builder, near);
    noteTime(builder, candidate, true);
  }
  return phrase === undefined ? near : enterPhrase(builder, phrase, near.node);
}

/** Each option speaks of the same row, on a node of its own that is never joined. */
function applyEither(
  builder: Builder,
  options: readonly (readonly Modifier[])[],
  target: Target,
  phrase: Phrase | undefined,
): void {
  const before = builder.superlatives.length + builder.groups.length + builder.orders.length;
  const nodes = options.map((modifiers) => {
    const node = createNode(target.node.relation);
    for (const modifier of modifiers) applyModifier(builder, modifier, { node, candidate: target.candidate }, phrase);
    return node;
  });
  if (builder.superlatives.length + builder.groups.length + builder.orders.length > before)
    builder.problems.push('a choice between extremes');
  if (nodes.some((node) => node.conditions.length === 0 && node.links.length === 0))
    builder.problems.push('a choice without conditions');
  target.node.conditions.push({ kind: 'either', options: nodes });
}
