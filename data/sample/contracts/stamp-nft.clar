;; A SIP-009 contract: non-fungible tokens.
(define-non-fungible-token stamp uint)
(define-data-var last-id uint u0)

(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-token-uri (id uint)) (ok none))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? stamp id)))

(define-public (transfer (id uint) (sender principal) (recipient principal))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (nft-transfer? stamp id sender recipient)))
