import type { LikeModifier, Modifier, Phrase } from '../interpret/frame.ts';
import { attributeClass } from './attribute-class.ts';
import { enterPhrase } from './build.ts';
import { applyCompare, applyTime } from './build-comparisons.ts';
import { addFlag, addHappened, applyRelated, attributeOf, REQUIRED } from './build-related.ts';
import { applySuperlative, orderMeasure } from './build-superlatives.ts';
import { applyValues } from './build-values.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, reachCandidate, type Target } from './builder.ts';
import { createNode } from './meaning.ts';

/** What a modifier says of a target, put into the meaning. */
export function applyModifier(builder: Builder, modifier: Modifier, target: Target, phrase: Phrase | undefined): void {
  builder.used.add(modifier);
  switch (modifier.kind) {
    case 'related':
      applyRelated(builder, modifier, target);
      return;
    case 'values':
      applyValues(builder, modifier, aboutOf(builder, modifier.phrase, modifier.verb, target));
      return;
    case 'compare':
      applyCompare(builder, modifier, target);
      return;
    case 'like':
      applyLike(builder, modifier, target);
      return;
    case 'flag': {
      const about = enterPhrase(builder, modifier.phrase, target.node);
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
      applyTime(builder, modifier, aboutOf(builder, undefined, modifier.verb, target));
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
      const node = reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK);
      const isTime = attributeClass(candidate.attribute, builder.linked) === 'time';
      builder.groups.push({ node, attribute: candidate.attribute, ...(isTime ? { unit: modifier.unit } : {}) });
      return;
    }
    case 'order':
      for (const key of modifier.keys) {
        const isTop = phrase !== undefined && (phrase.top || phrase.count !== undefined);
        const measure = orderMeasure(builder, key.measure, target, isTop);
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

/** A piece of text in an attribute of text. Wildcards inside the piece cannot be escaped in all dialects. */
function applyLike(builder: Builder, modifier: LikeModifier, target: Target): void {
  const { phrase, position, text, negated } = modifier;
  const about = enterPhrase(builder, phrase, target.node);
  const attribute = about.candidate?.attribute;
  if (attribute === undefined || attributeClass(attribute, builder.linked) !== 'text' || /[%_]/u.test(text))
    builder.problems.push(`the text pattern '${text}'`);
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
  if (candidate !== undefined) addHappened(builder, near);
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
