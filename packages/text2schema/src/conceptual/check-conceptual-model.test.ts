import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../scripts/testing/processor-ms.ts';
import type { ConceptualModel, RequirementReport } from '../model/index.ts';
import { checkConceptualModel } from './check-conceptual-model.ts';
import { CONCEPTUAL_CASES, COURSE, entity, model, relationship, report, STUDENT } from './conceptual-cases-fixture.ts';
import { CONCEPTUAL_CODES, type ConceptualCode } from './conceptual-codes.ts';

const codesOf = (one: ConceptualModel, of?: RequirementReport) => checkConceptualModel(one, of).map(({ code }) => code);

describe('checkConceptualModel', () => {
  for (const [code, { triggers, silent, report: of }] of Object.entries(CONCEPTUAL_CASES)) {
    it(`finds ${code}, and not where it is not`, () => {
      for (const one of triggers) {
        const found = checkConceptualModel(one, of).find((finding) => finding.code === code);
        expect(found, JSON.stringify(one)).toMatchObject({
          severity: CONCEPTUAL_CODES[code as ConceptualCode].severity,
          role: 'conceptual-designer',
        });
        expect(found?.remedy.length).toBeGreaterThan(10);
      }
      for (const one of silent) expect(codesOf(one, of), JSON.stringify(one)).not.toContain(code);
    });
  }

  it('says nothing of a sound model', () => {
    const library = model(
      entity('Member', 'Member ID', 'Name', 'Phone Number', 'Postal Code'),
      entity('Book', 'ISBN', 'Title', 'Price'),
      entity('Copy', 'Copy No', 'Condition'),
      relationship('has copy', ['Book one', 'Copy many']),
      relationship('borrows', ['Member many', 'Copy many'], 'Borrow Date', 'Return Date'),
      relationship('recommends', ['Member as friend many', 'Member as newcomer many']),
    );
    expect(checkConceptualModel(library)).toEqual([]);
  });

  it('names the nearest entity set, the key and what to do about it', () => {
    const [unknown] = checkConceptualModel(
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Cuorse many'])),
    );
    expect(unknown?.message).toBe(
      '`Cuorse` takes part in `Takes`, but there is no such entity set. Did you mean `Course`?',
    );
    const [foreign] = checkConceptualModel(
      model(entity('Customer', 'Customer ID'), entity('Order', 'Order ID', 'Customer ID')),
    );
    expect(foreign).toMatchObject({
      subject: 'Order',
      message: '`Customer ID` in `Order` is the key of `Customer`, but no relationship set connects the two.',
      remedy:
        'Leave `Customer ID` out of `Order`, and add a relationship set between `Order` and `Customer` with its cardinalities.',
    });
  });

  it('reads hostile and large models in little time', () => {
    const sets = Array.from({ length: 400 }, (_, at) =>
      entity(`Set ${at}`, `Set ${at} ID`, 'Name', `${'x '.repeat(50)}ID`, '<script>'),
    );
    const links = Array.from({ length: 400 }, (_, at) =>
      relationship(`links ${at}`, [`Set ${at} one`, `Set ${(at + 1) % 400} many`], 'At'),
    );
    const started = processorMs();
    checkConceptualModel(
      model(...sets, ...links),
      report({ relationships: Array.from({ length: 200 }, (_, at) => `Set ${at} has things. ${'a'.repeat(2_000)}`) }),
    );
    expect(processorMs() - started).toBeLessThan(5_000);
  });
});
