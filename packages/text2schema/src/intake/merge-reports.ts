import { splitWords } from '@askema/grounding';
import type { Clarification, ReportSubject, RequirementReport } from '../model/index.ts';

/**
 * One report of the reports about the parts of a long requirement, in the order of the parts. Nothing is lost: subjects
 * of one name become one with the attributes of all, sentences that say the same in the same words stand once.
 */
export function mergeReports(reports: readonly RequirementReport[]): RequirementReport {
  const all = <Item>(list: (report: RequirementReport) => readonly Item[]): Item[] => reports.flatMap(list);
  return {
    language: firstSaid(reports.map(({ language }) => (language === 'und' ? '' : language))) ?? 'und',
    title: firstSaid(reports.map(({ title }) => title)) ?? '',
    summary: distinctTexts(reports.map(({ summary }) => summary)).join(' '),
    functions: distinctTexts(all(({ functions }) => functions)),
    subjects: mergeSubjects(all(({ subjects }) => subjects)),
    relationships: distinctTexts(all(({ relationships }) => relationships)),
    rules: distinctTexts(all(({ rules }) => rules)),
    clarifications: mergeClarifications(all(({ clarifications }) => clarifications)),
  };
}

/** True for a report that says nothing about its part. */
export function isSilent({ functions, subjects, relationships, rules, clarifications }: RequirementReport): boolean {
  return [functions, subjects, relationships, rules, clarifications].every((list) => list.length === 0);
}

function mergeSubjects(subjects: readonly ReportSubject[]): ReportSubject[] {
  const byName = Map.groupBy(subjects, ({ name }) => foldSubject(name));
  return [...byName.values()].map((same) => ({
    name: same[0]?.name ?? '',
    attributes: distinctTexts(
      same.flatMap(({ attributes }) => attributes),
      foldSubject,
    ),
    description: distinctTexts(same.map(({ description }) => description)).join(' '),
  }));
}

function mergeClarifications(clarifications: readonly Clarification[]): Clarification[] {
  const byQuestion = new Map<string, Clarification>();
  for (const clarification of clarifications) {
    const key = foldSentence(clarification.question);
    const same = byQuestion.get(key);
    if (same === undefined) byQuestion.set(key, clarification);
    else byQuestion.set(key, { ...same, quotes: [...new Set([...same.quotes, ...clarification.quotes])] });
  }
  return [...byQuestion.values()];
}

/** `Customer orders`, `customer_order` and `CustomerOrder` are one subject. */
function foldSubject(name: string): string {
  const words = splitWords(name).join(' ');
  return words === '' ? name.trim().toLowerCase() : words;
}

function foldSentence(sentence: string): string {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join(' ') ?? sentence.trim();
}

/** In their order, each once; empty ones are left out. */
function distinctTexts(texts: readonly string[], fold: (text: string) => string = foldSentence): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = fold(text);
    if (text.trim() !== '' && !byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
}

function firstSaid(texts: readonly string[]): string | undefined {
  return texts.find((text) => text.trim() !== '');
}
