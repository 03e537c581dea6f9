import { describe, expect, it } from 'vitest';
import { ATTRIBUTE_THRESHOLD, attributeLikeness, nameLikeness, nameWords } from './name-likeness.ts';

const like = (a: string, b: string): number => nameLikeness(nameWords(a), nameWords(b));

describe('nameLikeness', () => {
  it.each([
    ['Order ID', 'order_id'],
    ['Order ID', 'OrderId'],
    ['Phone Number', 'phone no'],
    ['Phone Number', 'Phone'],
    ['Postal Codes', 'postal_code'],
    ['Date of Birth', 'Birth Date'],
    ['Creation Time', 'creation_date'],
    ['Registration Date', 'register_date'],
    ['Author', 'author_name'],
    ['Quantity', 'qty'],
    ['user name', 'Username'],
    ['Quantity', 'Sales Quantity'],
    ['Avatar', 'avatar_url'],
  ])('%s is %s', (a, b) => {
    expect(like(a, b)).toBeGreaterThanOrEqual(ATTRIBUTE_THRESHOLD);
    expect(like(b, a)).toBe(like(a, b));
  });

  it.each([
    ['Order ID', 'Video Name'],
    ['Order ID', 'Order Date'],
    ['Customer Name', 'Customer ID'],
    ['Car', 'Customer Care'],
    ['Age', 'Message Text'],
    ['ID', 'Paid'],
    ['Start Time', 'End Time'],
    ['Product', 'Production'],
    ['Employee', 'Employer'],
    ['Order', 'Order Detail'],
    ['Stack Position ID', 'Stack Position Name'],
    ['Project ID', 'Project Manager ID'],
    ['Comment ID', 'Commenter ID'],
    ['Name', 'Author Name'],
    ['Address', 'Email Address'],
    ['', 'Name'],
  ])('%s is not %s', (a, b) => {
    expect(like(a, b)).toBeLessThan(ATTRIBUTE_THRESHOLD);
  });

  it('prefers the same name to any other', () => {
    expect(like('Product ID', 'product id')).toBe(1);
    expect(like('Product ID', 'Product Number')).toBeLessThan(1);
    expect(like('顧客 名称', '顧客名称')).toBeGreaterThan(0);
  });
});

describe('attributeLikeness', () => {
  const within = (a: string, tableA: string, b: string, tableB: string): number =>
    attributeLikeness(nameWords(a), nameWords(tableA), nameWords(b), nameWords(tableB));

  it('leaves out the name of the table where it stands in front as a whole', () => {
    expect(within('Student Name', 'Student', 'name', 'students')).toBeGreaterThanOrEqual(ATTRIBUTE_THRESHOLD);
    expect(within('Client ID', 'Client', 'Customer ID', 'Customer')).toBeGreaterThanOrEqual(ATTRIBUTE_THRESHOLD);
    expect(within('Order ID', 'Order Detail', 'Detail ID', 'Order Detail')).toBeLessThan(ATTRIBUTE_THRESHOLD);
  });
});
