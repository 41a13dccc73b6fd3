// Draws JSON or Clarity text in a part that scrolls, also by keys.

export function JsonText({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must scroll by keys
    <pre class="json" tabIndex={0}>
      {children}
    </pre>
  );
}
