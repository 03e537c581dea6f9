import { describe, expect, it } from 'vitest';
import { isPlural, lemma, stems } from './lemma.ts';
import { splitName } from './split-name.ts';

describe('lemma', () => {
  it.each(
    'city cities|course courses|bus buses|house houses|class classes|box boxes|movie movies|hero heroes|shoe shoes|person people|child children|wife wives|status statuses|address addresses|series series|photo photos|invoice invoices|analysis analyses|day days|cache caches|employee employees'
      .split('|')
      .map((pair) => pair.split(' ')),
  )('%s and %s are one', (singular = '', plural = '') => expect(lemma(plural)).toBe(lemma(singular)));

  it.each([
    ['plane', 'plan'],
    ['care', 'car'],
    ['date', 'data'],
    ['news', 'new'],
  ])('%s and %s are two', (a, b) => expect(lemma(a)).not.toBe(lemma(b)));

  it('has to be, to do and to have as one each', () => {
    expect(['is', 'was', 'been'].map(lemma)).toEqual(['be', 'be', 'be']);
    expect([lemma('did'), lemma('has')]).toEqual(['do', 'have']);
  });
});

describe('isPlural', () => {
  it.each(['cities', 'people', 'teams', 'boxes'])('%s is one', (word) => expect(isPlural(word)).toBe(true));
  it.each(['city', 'bus', 'status', 'class', 'person'])('%s is none', (word) => expect(isPlural(word)).toBe(false));
});

describe('stems', () => {
  it.each([
    ['published', 'publisher'],
    ['directed', 'director'],
    ['enrolled', 'enrolment'],
    ['hired', 'hiring'],
    ['ordered', 'order'],
    ['managed', 'manager'],
    ['sold', 'sale'],
    ['treated', 'treatment'],
  ])('%s shares one with %s', (verb, noun) => {
    expect(stems(verb).some((form) => stems(noun).includes(form))).toBe(true);
  });

  it('keeps unlike words apart', () => {
    expect(stems('teacher').some((form) => stems('team').includes(form))).toBe(false);
    expect(stems('at')).toEqual([]);
  });
});

describe('splitName', () => {
  it.each([
    ['song_release_year', ['song', 'release', 'year']],
    ['CountryCode', ['country', 'code']],
    ['HTTPServer2', ['http', 'server', '2']],
    ['StuID', ['stu', 'id']],
    ['Order Item-No', ['order', 'item', 'no']],
    ['18_49_Rating', ['18', '49', 'rating']],
    ['__', []],
  ])('%s', (name, words) => expect(splitName(name)).toEqual(words));
});
