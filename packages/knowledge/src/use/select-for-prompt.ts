import type { KnowledgeQuestion, SelectedKnowledge, SelectKnowledgeOptions } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { ruleBasis } from '../bind/knowledge-bases.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { selectKnowledge } from '../select/select-knowledge.ts';

/** A run keeps what is told of it. */
const MAX_LEFT_OUT = 20;

/** What a prompt shows for a question of the knowledge that fits the database; undefined where nothing is needed. */
export function selectForPrompt(
  { question, values }: KnowledgeQuestion,
  fitting: Knowledge,
  bound: BoundKnowledge,
  options: SelectKnowledgeOptions = {},
): SelectedKnowledge | undefined {
  const metricCalls = options.metricCalls ?? true;
  const { text, items, leftOut } = selectKnowledge(question, fitting, { bound, values, ...options, metricCalls });
  if (text === '') return undefined;
  const shown = new Set(items.map(({ id }) => id));
  const rules = fitting.texts.filter(({ kind, id }) => kind === 'rule' && shown.has(entryId('rule', id)));
  const hasMetrics = items.some(({ kind }) => kind === 'metric');
  return { text, hasMetrics, metricCalls, rules: rules.map(ruleBasis), items, leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
}
