import { COMPONENT_PATH, type JsonSchema } from './json-schema.ts';
import { mapped } from './mapped.ts';

/** From so many places on, what members of schemas are and say alike is a component. */
const ALIKE = 3;

/**
 * Schemas of which none says what another one says: members that are alike are components, as are days and moments; a record with more
 * is the record and more (`allOf`), an answer the envelope and its data, and what bodies of creates and updates have alike stands once.
 */
export function sharedSchemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const plain = mapped({ ...schemas, ...TIMES }, withoutPlainWords);
  return bodiesShared(enveloped(furtherShared(extended(membersShared(mapped(plain, withTimes))))));
}

/** Days and moments by their components. */
function withTimes(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  return {
    ...schema,
    properties: mapped(schema.properties, member => {
      const { type, format, ...rest } = member;
      const name = Object.keys(TIMES).find(time => TIMES[time]?.format === format);
      if (name === undefined || Object.keys(rest).some(key => !/^(description|x-)/.test(key))) return member;
      const $ref = COMPONENT_PATH + name;
      return type === 'string' ? { ...rest, $ref } : { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
    }),
  };
}

const TIMES: Record<string, JsonSchema> = {
  Day: { type: 'string', format: 'date', description: 'YYYY-MM-DD.' },
  Moment: { type: 'string', format: 'date-time', description: 'ISO 8601.' },
};

/** Members with the same name, type and words become one component; its name says that it is a member. */
function membersShared(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const uses = new Map<string, { name: string; schema: JsonSchema; count: number }>();
  for (const { properties = {} } of Object.values(schemas))
    for (const [name, schema] of Object.entries(properties)) {
      if (!isShareable(schema)) continue;
      const key = `${name} ${JSON.stringify(schema)}`;
      uses.set(key, { name, schema, count: (uses.get(key)?.count ?? 0) + 1 });
    }
  const shared: Record<string, JsonSchema> = {};
  const nameOf = new Map<string, string>();
  for (const [key, { name, schema, count }] of [...uses].sort(([, a], [, b]) => b.count - a.count)) {
    if (count < ALIKE) continue;
    let free = `${pascal(name)}Field`;
    for (let next = 2; free in shared || free in schemas; next += 1) free = `${pascal(name)}Field${next}`;
    shared[free] = schema;
    nameOf.set(key, free);
  }
  const refer = (schema: JsonSchema, name: string): JsonSchema => {
    const component = isShareable(schema) && nameOf.get(`${name} ${JSON.stringify(schema)}`);
    return component ? { $ref: COMPONENT_PATH + component } : schema;
  };
  const referring = mapped(schemas, schema =>
    schema.properties ? { ...schema, properties: mapped(schema.properties, refer) } : schema,
  );
  return Object.fromEntries(Object.entries({ ...referring, ...shared }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A plain value is as short as a reference to it; its words are not. */
function isShareable({ $ref, description, const: only }: JsonSchema): boolean {
  return $ref === undefined && (description !== undefined || only !== undefined);
}

function withoutPlainWords(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!properties) return schema;
  return {
    ...schema,
    properties: mapped(properties, ({ description = '', ...member }, name) => {
      const [first = '', ...more] = description.split(/(?<=\.) /);
      const rest = saysName(first, name) ? more.join(' ') : description;
      return rest === '' ? member : { ...member, description: rest };
    }),
  };
}

function saysName(words: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const said = plain(words.replace(/ \(id\)\.$/, ''));
  return [name, name.replace(/^is_/, ''), name.replace(/_(id|at|by)$/, '')].some(
    each => plain(each) === said,
  );
}

/** What a record has beside what another component says of it: `LotWithCorrections` is a `Lot` and `corrections`. */
function extended(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return mapped(schemas, (schema, name) => {
    const own = schema.properties;
    const base = own && basesOf(name).find(each => isWithin(schemas[each]?.properties, own));
    const known = base === undefined ? undefined : schemas[base]?.properties;
    if (!own || !known) return schema;
    const { description, required = [], properties: _properties, ...rest } = schema;
    const isFurther = (key: string) => !Object.hasOwn(known, key);
    const properties = Object.fromEntries(Object.entries(own).filter(([key]) => isFurther(key)));
    const further = { ...rest, properties, required: required.filter(isFurther) };
    return {
      ...(description !== undefined && { description }),
      allOf: [{ $ref: COMPONENT_PATH + base }, further],
    };
  });
}

/** What several have beside their own is a component by the end of their names: `Corrections`. */
function furtherShared(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const keyOf = ({ allOf }: JsonSchema) => JSON.stringify(allOf?.[1]);
  const withs = Object.entries(schemas).filter(([name, { allOf }]) => name.includes('With') && allOf);
  const shared: Record<string, JsonSchema> = {};
  const nameOf = new Map<string, string>();
  for (const [key, alike] of Map.groupBy(withs, ([, schema]) => keyOf(schema))) {
    const [[of, { allOf }] = ['', {} as JsonSchema]] = alike;
    const [name = '', further] = [of.split('With').at(-1), allOf?.[1]];
    if (alike.length < ALIKE || !further || name in schemas || name in shared) continue;
    shared[name] = further;
    nameOf.set(key, name);
  }
  const referring = mapped(schemas, schema => {
    const name = nameOf.get(keyOf(schema));
    const [base] = schema.allOf ?? [];
    return name !== undefined && base
      ? { ...schema, allOf: [base, { $ref: COMPONENT_PATH + name }] }
      : schema;
  });
  return { ...referring, ...shared };
}

/** By their names, what a schema may be more than. */
function basesOf(name: string): string[] {
  const withs = name.split('With');
  const before = withs.slice(1).map((_, at) => withs.slice(0, -1 - at).join('With'));
  const others = [
    name.replace(/^New/, ''),
    name.replace(/BulkWrite$/, 'BulkCreate'),
    name.replace(/Patch$/, 'Update'),
  ];
  return [...before, ...others.filter(other => other !== name)];
}

function isWithin(known: Record<string, JsonSchema> | undefined, own: Record<string, JsonSchema>): boolean {
  return known !== undefined && Object.entries(known).every(([key, member]) => isSame(member, own[key]));
}

function isSame(one: JsonSchema | undefined, other: JsonSchema | undefined): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** An answer is the envelope and its data: what all answers begin with stands in `Answer`, of lists in `Page`. */
function enveloped(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const envelopes: Record<string, JsonSchema> = {};
  const made = mapped(schemas, schema => {
    const { data, status, message, meta, ...others } = schema.properties ?? {};
    const kind = Object.entries({ Answer: 'AnswerMeta', Page: 'PageMeta' }).find(
      ([, of]) => meta?.$ref === COMPONENT_PATH + of,
    )?.[0];
    if (!data || !status || !message || !meta || kind === undefined) return schema;
    const { required = [], properties: _properties, ...rest } = schema;
    const isOwn = (name: string) => name === 'data' || Object.hasOwn(others, name);
    envelopes[kind] ??= {
      type: 'object',
      properties: { status, message, meta },
      required: required.filter(name => !isOwn(name)),
    };
    const own = { ...rest, properties: { data, ...others }, required: required.filter(isOwn) };
    return { allOf: [{ $ref: COMPONENT_PATH + kind }, own] };
  });
  return { ...made, ...envelopes };
}

/** What the bodies of a create and of an update of one kind of record have alike: `SupplierFields`. */
function bodiesShared(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const shared = { ...schemas };
  for (const [name, { properties: own, ...update }] of Object.entries(schemas)) {
    const kind = name.replace(/Update$/, '');
    const create = schemas[`${kind}Create`];
    const fields = `${kind}Fields`;
    if (kind === name || !own || !create?.properties || fields in schemas) continue;
    const { properties: others, ...rest } = create;
    const isAlike = (key: string) => !create.required?.includes(key) && isSame(own[key], others[key]);
    const [alike, further, only] = [
      membersOf(own, isAlike),
      membersOf(own, key => !isAlike(key)),
      membersOf(others, key => !isAlike(key)),
    ];
    if (Object.keys(alike).length < ALIKE) continue;
    shared[fields] = { type: 'object', properties: alike };
    const base = { $ref: COMPONENT_PATH + fields };
    shared[name] = moreThan(base, { ...update, properties: further });
    shared[`${kind}Create`] = moreThan(base, { ...rest, properties: only });
  }
  return shared;
}

/** What has nothing more is the same: an object without members would be one that may have none. */
function moreThan(base: JsonSchema, more: JsonSchema): JsonSchema {
  const hasMore = Object.keys(more.properties ?? {}).length > 0;
  return hasMore ? { allOf: [base, more] } : base;
}

function membersOf(
  properties: Record<string, JsonSchema>,
  isWanted: (name: string) => boolean,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => isWanted(name)));
}

/** `created_at` as the name of a type. */
function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
