// Describes the columns of a table once: their SQL, and what a row holds in them.
import type { Generated } from 'kysely';
import type { FailureCode, Reason } from '#model/failure.ts';

export interface Column<Type> {
  /** Its type and constraints, where `@` stands for its name. */
  readonly sql: string;
  /** Has no value: it carries the type. */
  readonly type?: Type;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table with these columns. */
export type Row<Table extends Columns> = {
  -readonly [Name in keyof Table]: Table[Name] extends Column<infer Type> ? Type : never;
};

const column =
  (type: string) =>
  <Type>(more = ''): Column<Type> => ({ sql: `${type} not null ${more}` });

export const integer = column('integer')<number>;
export const text = column('text')<string>;
export const blob = column('blob')<Buffer>;
/** 32 bytes: a SHA-256, a transaction id or an index block hash. */
export const hash = (more = '') => blob(`${more} check (length(@) = 32)`);

/** A text that is one of few. */
export const oneOf = <Type extends string>(...all: Type[]) =>
  text(all.length === 0 ? '' : `check (@ in (${all.map((one) => `'${one}'`)}))`) as Column<Type>;

export const flag = (more = '') => integer(`check (@ in (0, 1)) ${more}`) as Column<0 | 1>;

export const nullable = <Type>({ sql }: Column<Type>): Column<Type | null> => ({ sql: sql.replace(' not null', '') });

/** A column that inserts may leave out. */
export const generated = <Type>({ sql }: Column<Type>): Column<Generated<Type>> => ({ sql });

/** Both are null if nothing failed. */
export const FAILURE = { failure_code: nullable(oneOf<FailureCode>()), failure_message: nullable(text()) };
type FailureColumns = Row<typeof FAILURE>;

export function storedFailure({ failure_code: code, failure_message: message }: FailureColumns): Reason | undefined {
  return code === null ? undefined : { code, message: message ?? '' };
}

export function failureColumns(failure: Reason | undefined): FailureColumns {
  return { failure_code: failure?.code ?? null, failure_message: failure?.message ?? null };
}

interface Table<Of extends Columns> {
  readonly columns: Of;
  /** The SQL that creates the table, and its indexes, triggers and views. */
  readonly statements: (name: string) => readonly string[];
}

/** `constraints`: of the whole table. */
export function table<Of extends Columns>(columns: Of, ...constraints: string[]) {
  return tableOf(columns, constraints, 'strict');
}

/** A table that is looked up by its whole key. */
export function keyed<Of extends Columns>(columns: Of, ...constraints: string[]) {
  return tableOf(columns, constraints, 'strict, without rowid');
}

function tableOf<Of extends Columns>(columns: Of, constraints: readonly string[], options: string) {
  const withMore = (...more: string[]): Table<Of> => ({
    columns,
    statements: (name) => {
      const lines = Object.entries(columns).map(([column, { sql }]) => `${column} ${sql.replaceAll('@', column)}`);
      return [`create table ${name} (\n  ${[...lines, ...constraints].join(',\n  ')}\n) ${options}`, ...more];
    },
  });
  return { ...withMore(), and: withMore };
}

type Tables = Readonly<Record<string, Table<Columns>>>;

/** What rows of these tables hold, by their names: a schema of kysely. */
export type RowsOf<All extends Tables> = { [Name in keyof All]: Row<All[Name]['columns']> };

export function statementsOf(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([name, { statements }]) => statements(name));
}
