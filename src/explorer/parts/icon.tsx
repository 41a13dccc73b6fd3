// Draws icons: outlines on a grid of 24.

const PATHS = {
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 13l4 4L19 7',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  wrap: 'M4 6h16M4 12h13a3 3 0 0 1 0 6h-4M15 15l-2.5 3L15 21M4 18h4',
  warn: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5.5M12 7.7v.1',
  off: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM6 6l12 12',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="ico" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
