// Defines the columns of a table once, as SQL and as the type of a row.
import type { Generated } from 'kysely';
import type { FailureCode, Reason } from '#model/failure.ts';

export interface Column<Type> {
  /** The type and constraints in SQL, where `@` stands for the name of the column. */
  readonly sql: string;
  /** Always undefined: the field only declares the type of values. */
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
/** Returns a column of 32 bytes: a SHA-256, a transaction id or an index block hash. */
export const hash = (more = '') => blob(`${more} check (length(@) = 32)`);

/** Returns a column of text that allows only some values. */
export const oneOf = <Type extends string>(...allowed: Type[]) =>
  text(allowed.length === 0 ? '' : `check (@ in (${allowed.map((value) => `'${value}'`)}))`) as Column<Type>;

export const flag = (more = '') => integer(`check (@ in (0, 1)) ${more}`) as Column<0 | 1>;

export const nullable = <Type>({ sql }: Column<Type>): Column<Type | null> => ({ sql: sql.replace(' not null', '') });

/** Returns a column that inserts may omit, since the database sets it. */
export const generated = <Type>({ sql }: Column<Type>): Column<Generated<Type>> => ({ sql });

/** The columns of a failure. Both are null if there was no failure. */
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
  /** Returns the SQL that creates the table with its indexes, triggers and views. */
  readonly statements: (name: string) => readonly string[];
}

/** Defines a table. `constraints` apply to several columns. */
export function table<Of extends Columns>(columns: Of, ...constraints: string[]) {
  return tableOf(columns, constraints, 'strict');
}

/** Defines a table without row ids, which stores its rows by their primary key. */
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

/** The type of the rows of each table, by table name: a schema of kysely. */
export type RowsOf<All extends Tables> = { [Name in keyof All]: Row<All[Name]['columns']> };

export function statementsOf(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([name, { statements }]) => statements(name));
}
