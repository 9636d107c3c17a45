import type { ComponentProps } from 'react';

interface AmountTextProps extends ComponentProps<'span'> {
  text: string;
  exact: string;
}

/** If the text is abbreviated, title and screen readers get the full amount. */
export function AmountText({ text, exact, ...props }: AmountTextProps) {
  if (text === exact) return <span {...props}>{text}</span>;
  return (
    <span {...props} title={exact}>
      <span aria-hidden>{text}</span>
      <span className="unseen">{exact}</span>
    </span>
  );
}
