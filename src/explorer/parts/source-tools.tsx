// Draws what can be done with a source: copy it, or download it as a file.
import { Copy } from './pieces.tsx';

export function SourceTools({ name, source }: { name: string; source: string }) {
  const download = () => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href: url, download: `${name}.clar` }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <p class="tools">
      <Copy text={source} label="Copy the source" />
      <button type="button" onClick={download} aria-label="Download the source">
        download
      </button>
    </p>
  );
}
