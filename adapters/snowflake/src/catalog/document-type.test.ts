import { documentFields } from '@askema/adapter-kit';
import { expect, test } from 'vitest';
import { documentType } from './document-type.ts';

test('fields of documents have the type to cast to', () => {
  expect(
    documentFields(
      [
        '{"id":1,"price":2,"tags":["a"],"who":{"name":"x","age":null},"mixed":1,"on":true}',
        '{"id":2,"price":2.5,"tags":[],"mixed":"one"}',
      ],
      documentType,
    ),
  ).toEqual([
    { path: ['id'], nativeType: 'NUMBER' },
    { path: ['price'], nativeType: 'FLOAT' },
    { path: ['tags'], nativeType: 'ARRAY' },
    { path: ['tags', '[]'], nativeType: 'VARCHAR' },
    { path: ['who'], nativeType: 'OBJECT' },
    { path: ['who', 'name'], nativeType: 'VARCHAR' },
    { path: ['who', 'age'], nativeType: 'VARIANT' },
    { path: ['mixed'], nativeType: 'VARIANT' },
    { path: ['on'], nativeType: 'BOOLEAN' },
  ]);
});
