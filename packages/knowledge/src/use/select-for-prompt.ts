import type { KnowledgeQuestion, SelectedKnowledge, SelectKnowledgeOptions } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { ruleBasis } from '../bind/knowledge-bases.ts';
import { entryId } from '../model/knowledge.ts';
import { selectKnowledge } from '../select/select-knowledge.ts';

/** What a prompt shows of knowledge for a question; undefined where nothing fits. */
export function selectForPrompt(
  { question, values }: KnowledgeQuestion,
  bound: BoundKnowledge,
  options: SelectKnowledgeOptions = {},
): SelectedKnowledge | undefined {
  const { knowledge } = bound;
  const { text, items } = selectKnowledge(question, knowledge, { bound, values, ...options });
  if (text === '') return undefined;
  const shown = new Set(items.map(({ id }) => id));
  const rules = knowledge.texts.filter(({ kind, id }) => kind === 'rule' && shown.has(entryId('rule', id)));
  return { text, hasMetrics: items.some(({ kind }) => kind === 'metric'), rules: rules.map(ruleBasis) };
}
