;; A SIP-009 contract: non-fungible tokens, whose documents differ by their numbers alone.
(define-non-fungible-token stamp uint)
(define-data-var last-id uint u0)
(define-data-var uri (string-ascii 522)
  "data:application/json,{%22sip%22:16,%22name%22:%22Stamp%20{id}%22,%22description%22:%22One%20of%20the%20sample's%20stamps.%22,%22image%22:%22data:image/svg%2Bxml,%253Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2064%2064'%253E%253Cpath%20fill='%2523b4380f'%20d='M4%204h56v56H4z'/%253E%253Cpath%20fill='%2523faf8f3'%20d='M12%2012h40v40H12z'/%253E%253Ccircle%20cx='32'%20cy='32'%20r='13'%20fill='%25231d1b16'/%253E%253C/svg%253E%22,%22attributes%22:%5B{%22trait_type%22:%22Number%22,%22value%22:%22{id}%22}%5D}")

(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-token-uri (id uint)) (ok (some (var-get uri))))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? stamp id)))

(define-public (transfer (id uint) (sender principal) (recipient principal))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (nft-transfer? stamp id sender recipient)))

(define-public (issue (id uint))
  (begin
    (if (> id (var-get last-id)) (var-set last-id id) true)
    (nft-mint? stamp id tx-sender)))
(define-public (shred (id uint)) (nft-burn? stamp id tx-sender))
