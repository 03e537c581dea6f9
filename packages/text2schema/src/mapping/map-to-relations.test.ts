import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../scripts/testing/processor-ms.ts';
import type { ConceptualModel } from '../model/index.ts';
import { designFixture, relationLines, type SetFixture } from './design-fixture.ts';
import { mapToRelations } from './map-to-relations.ts';

function designed(sets: Readonly<Record<string, SetFixture>>, options = {}) {
  const { model, proposal } = designFixture(sets);
  const design = mapToRelations(model, proposal, options);
  return { ...design, lines: relationLines(design.schema), codes: design.findings.map(({ code }) => code) };
}

const LIBRARY: Record<string, SetFixture> = {
  Member: { attributes: ['Member ID NUMERIC', 'Name'], dependencies: ['Member ID -> Name'] },
  Book: {
    attributes: ['ISBN', 'Title', 'Publisher Name', 'Publisher City'],
    dependencies: ['ISBN -> Title, Publisher Name', 'Publisher Name -> Publisher City'],
  },
  Copy: { attributes: ['Copy No NUMERIC', 'Condition'], dependencies: ['Book, Copy No -> Condition'] },
  'is copy of': { between: ['Book one', 'Copy many'] },
  Borrows: {
    between: ['Member many', 'Copy many'],
    attributes: ['Borrow Date DATETIME', 'Return Date DATETIME'],
    dependencies: ['Member, Copy, Borrow Date -> Return Date'],
  },
  Reserves: { between: ['Member many', 'Book many'], attributes: ['Reserved On DATETIME'] },
};

const HOSPITAL: Record<string, SetFixture> = {
  Department: { attributes: ['Name', 'Floor NUMERIC'], dependencies: ['Name -> Floor'] },
  Doctor: { attributes: ['Doctor ID NUMERIC', 'Name'], dependencies: ['Doctor ID -> Name'] },
  Patient: { attributes: ['ID NUMERIC', 'Name', 'Born DATETIME'], dependencies: ['ID -> Name, Born'] },
  Ward: { attributes: ['Ward No NUMERIC'], preferredKey: ['Department', 'Ward No'] },
  Bed: { attributes: ['Bed No NUMERIC', 'Adjustable BOOL'], dependencies: ['Ward, Bed No -> Adjustable'] },
  Drug: { attributes: ['Code', 'Label'], dependencies: ['Code -> Label'] },
  'works in': { between: ['Doctor many', 'Department one'], attributes: ['Since DATETIME'] },
  heads: { between: ['Doctor as head one', 'Department one'] },
  'has ward': { between: ['Department one', 'Ward many'] },
  'has bed': { between: ['Ward one', 'Bed many'] },
  occupies: { between: ['Patient one', 'Bed one'] },
  Prescribes: {
    between: ['Doctor many', 'Patient many', 'Drug many'],
    attributes: ['On DATETIME', 'Dose'],
    dependencies: ['Doctor, Patient, Drug, On -> Dose'],
  },
};

const COMPANY: Record<string, SetFixture> = {
  Employee: { attributes: ['Employee ID NUMERIC', 'Name'], dependencies: ['Employee ID -> Name'] },
  Part: { attributes: ['Part No', 'Weight NUMERIC'], dependencies: ['Part No -> Weight'] },
  Project: { attributes: ['Code', 'Title'], dependencies: ['Code -> Title'] },
  Supplier: { attributes: ['Supplier ID NUMERIC'] },
  supervises: { between: ['Employee as supervisor one', 'Employee as report many'] },
  mentors: { between: ['Employee as mentor one', 'Employee as trainee one'], attributes: ['From DATETIME'] },
  Contains: { between: ['Part as assembly many', 'Part as component many'], attributes: ['Quantity NUMERIC'] },
  Supplies: { between: ['Supplier one', 'Part many', 'Project many'], attributes: ['Price NUMERIC'] },
};

describe('mapToRelations', () => {
  it('maps a library: weak entity sets, decomposition, many-to-many with a time in the key', () => {
    const { lines, codes, decompositions } = designed(LIBRARY);
    expect(lines).toEqual([
      'Member(*Member ID, Name)',
      'Book(*ISBN, Title, Publisher Name) > Publisher(Publisher Name)',
      'Publisher(*Publisher Name, Publisher City)',
      'Copy(*ISBN, *Copy No, Condition) > Book(ISBN)',
      'Borrows(*Member ID, *ISBN, *Copy No, *Borrow Date, Return Date) > Member(Member ID) > Copy(ISBN, Copy No)',
      'Reserves(*Member ID, *ISBN, Reserved On) > Member(Member ID) > Book(ISBN)',
    ]);
    expect(codes).toEqual(['decomposed']);
    expect(decompositions.map(({ original }) => original.name)).toEqual([
      'Member',
      'Book',
      'Copy',
      'Borrows',
      'Reserves',
    ]);
  });

  it('maps a hospital: owners of owners, bare key names, one-to-one, n-ary', () => {
    const { lines, codes } = designed(HOSPITAL);
    expect(lines).toEqual([
      'Department(*Name, Floor, Head ID) > Doctor(Head ID = Doctor ID)',
      'Doctor(*Doctor ID, Name, Department Name, Since) > Department(Department Name = Name)',
      'Patient(*ID, Name, Born)',
      'Ward(*Department Name, *Ward No) > Department(Department Name = Name)',
      'Bed(*Department Name, *Ward No, *Bed No, Adjustable, Patient ID) > Ward(Department Name, Ward No) > Patient(Patient ID = ID)',
      'Drug(*Code, Label)',
      'Prescribes(*Doctor ID, *Patient ID, *Drug Code, *On, Dose) > Doctor(Doctor ID) > Patient(Patient ID = ID) > Drug(Drug Code = Code)',
    ]);
    expect(codes).toEqual([]);
  });

  it('takes the time into the key of a ternary set that is repeated, although one participant is `one`', () => {
    const { lines, codes } = designed({
      User: { attributes: ['User ID NUMERIC', 'Name'], dependencies: ['User ID -> Name'] },
      Operator: { attributes: ['Operator ID NUMERIC', 'Name'], dependencies: ['Operator ID -> Name'] },
      Change: {
        between: ['User as subordinate many', 'User as superior one', 'Operator one'],
        attributes: ['Change Time DATETIME'],
        dependencies: ['subordinate, Change Time -> superior, Operator'],
      },
    });
    expect(lines.at(-1)).toBe(
      'Change(*Subordinate ID, Superior ID, Operator ID, *Change Time) > User(Subordinate ID = User ID) > User(Superior ID = User ID) > Operator(Operator ID)',
    );
    expect(codes).toEqual([]);
  });

  it('maps relationship sets of one entity set, and a ternary one whose key follows from its cardinalities', () => {
    const { lines, codes, relations } = designed(COMPANY);
    expect(lines).toEqual([
      'Employee(*Employee ID, Name, Supervisor ID, Mentor ID, From) > Employee(Supervisor ID = Employee ID) > Employee(Mentor ID = Employee ID)',
      'Part(*Part No, Weight)',
      'Project(*Code, Title)',
      'Supplier(*Supplier ID)',
      'Contains(*Assembly No, *Component No, Quantity) > Part(Assembly No = Part No) > Part(Component No = Part No)',
      'Supplies(Supplier ID, *Part No, *Project Code, Price) > Supplier(Supplier ID) > Part(Part No) > Project(Project Code = Code)',
    ]);
    expect(codes).toEqual([]);
    expect(relations[0]).toMatchObject({
      source: { set: 'Employee', kind: 'entity' },
      absorbed: ['supervises', 'mentors'],
      candidateKeys: [['Employee ID'], ['Mentor ID']],
    });
  });

  it('puts not null on every key attribute and unique on keys of one attribute, and nothing else', () => {
    const sets = {
      Account: { attributes: ['Email TEXT unique', 'Nick TEXT not null unique'], dependencies: ['Email -> Nick'] },
      Group: { attributes: ['Group ID'] },
      Profile: { attributes: ['Profile ID', 'Bio'], dependencies: ['Profile ID -> Bio'] },
      Joins: { between: ['Account many', 'Group many'] },
      has: { between: ['Account one', 'Profile one'] },
    };
    const constraintsOf = (explicitConstraints: boolean) =>
      designed(sets, { explicitConstraints }).schema.domainConstraints.map(
        (one) => `${one.attribute} ${one.constraint}`,
      );
    const keys = [
      ...['account#email not null', 'account#email unique', 'group#group id not null', 'group#group id unique'],
      ...[
        'profile#profile id not null',
        'profile#profile id unique',
        'joins#email not null',
        'joins#group id not null',
      ],
    ];
    expect(constraintsOf(false)).toEqual(keys);
    expect(constraintsOf(true).toSorted()).toEqual(
      [...keys, 'account#nick not null', 'account#nick unique', 'profile#email unique'].toSorted(),
    );
  });

  it('gives foreign keys the type of what they reference, through owners and attributes that were there already', () => {
    const { schema, lines } = designed({
      Customer: { attributes: ['Customer ID NUMERIC'] },
      Order: { attributes: ['Order ID NUMERIC', 'Customer ID TEXT'], dependencies: ['Order ID -> Customer ID'] },
      Line: { attributes: ['Line No NUMERIC', 'Text'], dependencies: ['Order, Line No -> Text'] },
      places: { between: ['Customer one', 'Order many'] },
      'has line': { between: ['Order one', 'Line many'] },
    });
    expect(lines).toContain('Order(*Order ID, Customer ID) > Customer(Customer ID)');
    expect(lines).toContain('Line(*Order ID, *Line No, Text) > Order(Order ID)');
    expect(schema.attributes.filter(({ name }) => name.endsWith('ID')).every(({ type }) => type === 'NUMERIC')).toBe(
      true,
    );
  });

  it('keeps the words and the style of the designer, in Chinese and with underscores', () => {
    const chinese = designed({
      学生: { attributes: ['学号', '姓名'], dependencies: ['学号 -> 姓名'] },
      课程: { attributes: ['编号', '名称'], dependencies: ['编号 -> 名称'] },
      选修: { between: ['学生 many', '课程 many'], attributes: ['成绩 NUMERIC'], dependencies: ['学生, 课程 -> 成绩'] },
    });
    expect(chinese.lines.at(-1)).toBe('选修(*学号, *课程编号, 成绩) > 学生(学号) > 课程(课程编号 = 编号)');
    const snake = designed({
      sales_order: { attributes: ['id', 'placed_at DATETIME'], dependencies: ['id -> placed_at'] },
      shop_user: { attributes: ['id', 'full_name'], dependencies: ['id -> full_name'] },
      places: { between: ['shop_user as buyer one', 'sales_order many'] },
      approves: { between: ['shop_user one', 'sales_order many'] },
    });
    expect(snake.lines[0]).toBe(
      'sales_order(*id, placed_at, buyer_id, shop_user_id) > shop_user(buyer_id = id) > shop_user(shop_user_id = id)',
    );
  });

  it('gives every foreign key a name of its own where two would have one', () => {
    const { lines } = designed({
      Airport: { attributes: ['Airport Code'] },
      Flight: { attributes: ['Flight No'] },
      'departs from': { between: ['Flight many', 'Airport one'] },
      'arrives at': { between: ['Flight many', 'Airport one'] },
      'may land at': { between: ['Flight many', 'Airport one'] },
    });
    expect(lines[1]).toMatch(
      /^Flight\(\*Flight No, Airport Code, Arrives at Airport Code, May land at Airport Code\)/i,
    );
  });

  it('decomposes into a part that is called by its key, and hands references on through it', () => {
    const { lines, codes } = designed({
      Student: {
        attributes: ['Student ID', 'Name', 'Class ID', 'Class Room'],
        dependencies: ['Student ID -> Name, Class ID', 'Class ID -> Class Room, Teacher'],
      },
      Teacher: { attributes: ['Teacher ID'] },
      'is taught by': { between: ['Student many', 'Teacher one'] },
    });
    expect(lines).toEqual([
      'Student(*Student ID, Name, Class ID) > Class(Class ID)',
      'Class(*Class ID, Class Room, Teacher ID) > Teacher(Teacher ID)',
      'Teacher(*Teacher ID)',
    ]);
    expect(codes).toEqual(['decomposed']);
  });

  it('takes the connected entity set for a part of the row where the own attributes identify it', () => {
    const { lines } = designed({
      Student: { attributes: ['Student ID', 'Name', 'Room'], dependencies: ['Student ID -> Name', 'Class -> Room'] },
      Class: { attributes: ['Class ID'] },
      'belongs to': { between: ['Student many', 'Class one'] },
    });
    expect(lines[0]).toBe(
      'Student(*Student ID, Name, Class ID) > Class 2(Class ID)'.replace('Class 2', 'Student Class'),
    );
  });

  it('makes a many-to-one relationship set a relation where its facts need more than the key of the many side', () => {
    const { lines } = designed({
      Employee: { attributes: ['Employee ID'] },
      Department: { attributes: ['Department ID'] },
      'Works In': {
        between: ['Employee many', 'Department one'],
        attributes: ['From DATETIME', 'Salary NUMERIC'],
        dependencies: ['Employee, From -> Salary'],
      },
    });
    expect(lines.slice(0, 2)).toEqual(['Employee(*Employee ID)', 'Department(*Department ID)']);
    expect(lines.slice(2)).toContainEqual(expect.stringContaining('*Employee ID, *From, Salary'));
  });

  it('names keys of other sets by their attribute, their role or the set itself alike', () => {
    const with_ = (left: string) =>
      designed({
        Order: { attributes: ['Order ID'] },
        Product: { attributes: ['ID'] },
        Item: { attributes: ['Line No', 'Amount'], dependencies: [`${left}, Line No -> Amount`] },
        'has item': { between: ['Order one', 'Item many'] },
        'is for': { between: ['Item many', 'Product as article one'] },
      });
    for (const left of ['Order', 'Order ID', 'order_id', 'orders'])
      expect(with_(left).lines[2]).toMatch(/^Item\(\*Order ID, \*Line No,/);
    for (const left of ['article', 'Product', 'Product ID', 'Article ID'])
      expect(with_(left).lines[2]).toMatch(/^Item\(\*Article ID, \*Line No,/);
  });

  it('lets the side of a one-to-one relationship set hold it that needs the other one to be identified', () => {
    const { lines } = designed({
      Passport: { attributes: ['Issued On DATETIME'], preferredKey: ['Person'] },
      Person: {
        attributes: ['Person ID', 'Visa', 'Fee'],
        dependencies: ['Person ID -> Visa', 'Passport, Visa -> Fee'],
      },
      owns: { between: ['Passport one', 'Person one'] },
    });
    expect(lines[0]).toBe('Passport(*Person ID, Issued On) > Person(Person ID)');
  });

  it('lets nothing be identified by an entity set that has no key itself', () => {
    const { lines, codes } = designed({
      Course: { attributes: ['No', 'Title'], dependencies: ['School, No -> Title'], preferredKey: ['School'] },
      School: { attributes: [] },
      offers: { between: ['School one', 'Course many'] },
    });
    expect(lines.slice(0, 1)).toEqual(['Course(*No, Title)']);
    expect(codes).toContain('entity-without-key');
  });

  it('chooses the preferred key where it is one, else the shortest that reads like a key', () => {
    const book = (preferredKey: string[]) =>
      designed({
        Book: {
          attributes: ['Title', 'ISBN', 'Shelf Mark'],
          dependencies: ['ISBN -> Title, Shelf Mark', 'Shelf Mark -> ISBN', 'Title -> ISBN'],
          preferredKey,
        },
      });
    expect(book([]).lines).toEqual(['Book(Title, *ISBN, Shelf Mark)']);
    expect(book(['Shelf Mark']).lines).toEqual(['Book(Title, ISBN, *Shelf Mark)']);
    expect(book(['ISBN', 'Title']).codes).toEqual(['preferred-key-no-key']);
    expect(book([]).relations[0]?.candidateKeys).toEqual([['Title'], ['ISBN'], ['Shelf Mark']]);
  });

  it('maps 300 entity sets in a chain of owners and 300 relationship sets in little time', () => {
    const sets: Record<string, SetFixture> = {};
    for (let at = 299; at >= 0; at -= 1) {
      sets[`Set ${at}`] = {
        attributes: [`No ${at}`, 'Name'],
        dependencies: [at % 6 === 0 ? `No ${at} -> Name` : `Set ${at - 1}, No ${at} -> Name`],
      };
      if (at > 0) sets[`owns ${at}`] = { between: [`Set ${at - 1} one`, `Set ${at} many`] };
    }
    const started = processorMs();
    const { lines } = designed(sets);
    expect(lines).toHaveLength(300);
    expect(processorMs() - started).toBeLessThan(4_000);
  });
});

describe('names of relations', () => {
  const model: ConceptualModel = {
    entitySets: [
      { name: 'Student', attributes: ['Student ID'] },
      { name: 'Course', attributes: ['Course ID'] },
    ],
    relationshipSets: [
      {
        name: 'Enrol',
        participants: [
          { entity: 'Student', cardinality: 'many' },
          { entity: 'Course', cardinality: 'many' },
        ],
        attributes: [],
      },
    ],
  };
  const namesWith = (relation: string | undefined) =>
    mapToRelations(model, {
      sets: [{ set: 'Enrol', attributes: [], dependencies: [], preferredKey: [], relation }],
    }).schema.relations.map(({ name }) => name);

  it('are those of the proposal, where it has some that are free', () => {
    expect(namesWith('Enrolment')).toEqual(['Student', 'Course', 'Enrolment']);
    expect(namesWith(' ')).toEqual(['Student', 'Course', 'Enrol']);
    expect(namesWith(undefined)).toEqual(['Student', 'Course', 'Enrol']);
    expect(namesWith('course')).toEqual(['Student', 'Course', 'Enrol']);
  });
});
