import type { RequirementReport } from '../model/index.ts';

/** The report of all parts read so far: what a later part adds to it. Subjects are one by name, without regard to case. */
export function mergeReports(soFar: RequirementReport, added: RequirementReport): RequirementReport {
  const subjects = soFar.subjects.map((subject) => {
    const more = added.subjects.filter(({ name }) => sameText(name, subject.name));
    const descriptions = joined(
      [subject.description],
      more.map(({ description }) => description),
    );
    return {
      ...subject,
      attributes: joined(
        subject.attributes,
        more.flatMap(({ attributes }) => attributes),
      ),
      description: descriptions.filter((text) => text !== '').join(' '),
    };
  });
  const fresh = added.subjects.filter(({ name }) => !soFar.subjects.some((subject) => sameText(name, subject.name)));
  const questions = new Set(soFar.clarifications.map(({ question }) => question));
  return {
    language: soFar.language || added.language,
    title: soFar.title || added.title,
    summary: joined([soFar.summary], [added.summary]).join(' ').trim(),
    functions: joined(soFar.functions, added.functions),
    subjects: [...subjects, ...fresh],
    relationships: joined(soFar.relationships, added.relationships),
    rules: joined(soFar.rules, added.rules),
    clarifications: [
      ...soFar.clarifications,
      ...added.clarifications.filter(({ question }) => !questions.has(question)),
    ],
  };
}

/** Both lists in their order, each text once without regard to case. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...first, ...second].filter((text) => {
    const plain = plainText(text);
    if (seen.has(plain)) return false;
    seen.add(plain);
    return true;
  });
}

function sameText(one: string, other: string): boolean {
  return plainText(one) === plainText(other);
}

function plainText(text: string): string {
  return text.trim().toLowerCase();
}
