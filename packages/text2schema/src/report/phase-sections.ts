import type { ConceptualModel } from '../model/conceptual-model.ts';
import type { Clarification, RequirementReport } from '../model/requirement-report.ts';
import { blocks, inline, list, paragraphs, table } from './markdown.ts';
import type { ReportTexts } from './report-texts.ts';

export function clarificationsSection(texts: ReportTexts, clarifications: readonly Clarification[]): string {
  const { labels, kinds, colon } = texts;
  const items = clarifications.map(({ kind, question, quotes, assumption, answer }) => {
    const lines = [
      `**${kinds[kind]}${colon.trimEnd()}** ${inline(question)}`,
      ...quotes.map((words) => `  - ${labels.quotes}${colon}“${inline(words)}”`),
      answer === undefined
        ? `  - ${labels.assumption}${colon}${inline(assumption)}`
        : `  - ${labels.answer}${colon}${inline(answer)}`,
    ];
    return lines.join('\n');
  });
  return list(items);
}

export function reportSection(texts: ReportTexts, report: RequirementReport): string {
  const { labels, columns, comma } = texts;
  const points = (label: string, sentences: readonly string[]): string | undefined =>
    sentences.length === 0 ? undefined : blocks(`**${label}**`, list(sentences.map(inline)));
  return blocks(
    paragraphs(report.summary),
    points(labels.functions, report.functions),
    report.subjects.length > 0 &&
      blocks(
        `**${labels.subjects}**`,
        table(
          [columns.subject, columns.attributes, columns.description],
          report.subjects.map(({ name, attributes, description }) => [name, attributes.join(comma), description]),
        ),
      ),
    points(labels.relationships, report.relationships),
    points(labels.rules, report.rules),
  );
}

export function conceptualSection(texts: ReportTexts, { entitySets, relationshipSets }: ConceptualModel): string {
  const { columns, cardinalities, comma, none } = texts;
  const listed = (names: readonly string[]): string => (names.length === 0 ? none : names.join(comma));
  return blocks(
    table(
      [columns.entitySet, columns.attributes],
      entitySets.map(({ name, attributes }) => [name, listed(attributes)]),
    ),
    relationshipSets.length > 0 &&
      table(
        [columns.relationshipSet, columns.participants, columns.attributes],
        relationshipSets.map(({ name, participants, attributes }) => [
          name,
          participants
            .map(({ entity, role, cardinality }) => {
              const named = role === undefined ? entity : `${entity} (${role})`;
              return `${named} [${cardinalities[cardinality]}]`;
            })
            .join(comma),
          listed(attributes),
        ]),
      ),
  );
}
