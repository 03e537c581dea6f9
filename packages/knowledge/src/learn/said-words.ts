import { AskemaError } from '@askema/core';
import { contentWords } from '@askema/grounding';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import { definitionText } from '../bind/definition-text.ts';
import { timePart } from '../expression/functions.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { quotedText } from '../expression/quoted-text.ts';
import { walkExpression } from '../expression/walk-expression.ts';
import { sameName } from '../model/same-name.ts';
import { ansi } from '../model/semantic-model.ts';
import { phraseKey, spellingOf, wordsOf, wordsOfName } from '../words/words-of.ts';

/** Numbers of arithmetic: nothing of a database is told by them. */
const PLAIN_NUMBERS: ReadonlySet<string> = new Set(['0', '1', '100', '0.0', '1.0', '100.0']);

/** What a person has said, and what is defined already: the only sources of a definition that is learned. */
export class SaidWords {
  readonly #text: string;
  readonly #stems: ReadonlySet<string>;
  readonly #bound: BoundKnowledge;

  constructor(said: readonly string[], bound: BoundKnowledge) {
    this.#text = said.join('\n').toLowerCase();
    this.#stems = new Set(said.flatMap((text) => wordsOf(text).map(({ stem }) => stem)));
    this.#bound = bound;
  }

  /** Whether a name or a synonym has only words that were said, and not only such as every question has. */
  hasWords(name: string): boolean {
    const words = wordsOfName(name);
    return contentWords(spellingOf(words)).size > 0 && words.every(({ stem }) => this.#stems.has(stem));
  }

  /** Whether a metric other than that of the name is asked for by these words already. */
  isTaken(words: string, name: string): boolean {
    const wanted = phraseKey(wordsOfName(words));
    return [...this.#bound.metrics.values()].some(
      (metric) =>
        !sameName(metric.name, name) &&
        [metric.name, metric.label ?? '', ...(metric.ai?.synonyms ?? [])].some(
          (one) => phraseKey(wordsOfName(one)) === wanted,
        ),
    );
  }

  /**
   * Cells and comments of a database must not get into a definition, whatever a model was shown.
   *
   * @throws AskemaError `KNOWLEDGE_INVALID` for a value that nobody said, and for an expression that cannot be read.
   */
  checkValues(expression: string): void {
    const chosen = chooseExpression(ansi(expression), this.#bound.dialect);
    if (chosen === undefined) return;
    walkExpression(parseExpression(chosen.text, chosen.lexer), (part) => {
      if (part.kind !== 'literal' || part.type === 'boolean' || part.type === 'null') return;
      if (part.type === 'number' ? PLAIN_NUMBERS.has(part.value) : part.value === '') return;
      // Of DATEADD(DAY, …).
      if (timePart(part.value) !== undefined) return;
      if (this.#isSaid(part.value) || this.#isDefined(part.value)) return;
      throw new AskemaError(
        'KNOWLEDGE_INVALID',
        `The value ${JSON.stringify(part.value)} is neither in the question, nor in the correction, nor defined.`,
      );
    });
  }

  #isSaid(value: string): boolean {
    // Signs around a text, such as those of LIKE, tell nothing.
    const wanted = value.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (wanted === '') return true;
    for (let at = this.#text.indexOf(wanted); at >= 0; at = this.#text.indexOf(wanted, at + 1)) {
      const isBegin = !/[\p{L}\p{N}]$/u.test(this.#text.slice(0, at));
      if (isBegin && !/^[\p{L}\p{N}]/u.test(this.#text.slice(at + wanted.length))) return true;
    }
    return false;
  }

  #isDefined(value: string): boolean {
    const { datasets, metrics, filters } = this.#bound;
    const defined = [
      ...[...metrics.values()].map((metric) => definitionText(metric)),
      ...[...filters.values()].map(({ condition }) => condition),
      ...[...datasets.values()].map(({ dataset }) => dataset.defaultFilter ?? ''),
    ];
    const isListed = [...datasets.values()].some(({ fields }) =>
      [...fields.values()].some(({ field }) => field.values.some((one) => String(one.value) === value)),
    );
    return isListed || defined.some((text) => text.includes(quotedText(value)));
  }
}
