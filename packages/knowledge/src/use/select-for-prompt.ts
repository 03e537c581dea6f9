import type { KnowledgeQuestion, SelectedKnowledge, SelectKnowledgeOptions } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { ruleBasis } from '../bind/knowledge-bases.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { selectKnowledge } from '../select/select-knowledge.ts';

/** What a prompt shows for a question of the knowledge that fits the database; undefined where nothing is needed. */
export function selectForPrompt(
  { question, values }: KnowledgeQuestion,
  fitting: Knowledge,
  bound: BoundKnowledge,
  options: SelectKnowledgeOptions = {},
): SelectedKnowledge | undefined {
  const { text, items } = selectKnowledge(question, fitting, { bound, values, ...options });
  if (text === '') return undefined;
  const shown = new Set(items.map(({ id }) => id));
  const rules = fitting.texts.filter(({ kind, id }) => kind === 'rule' && shown.has(entryId('rule', id)));
  return { text, hasMetrics: items.some(({ kind }) => kind === 'metric'), rules: rules.map(ruleBasis) };
}
