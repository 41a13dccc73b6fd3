;; A SIP-013 contract: semi-fungible tokens, each with a URI of its own.
(define-fungible-token sheet)
(define-non-fungible-token sheet-id { id: uint, owner: principal })
(define-map supplies uint uint)
(define-map balances { id: uint, owner: principal } uint)
(define-map uris uint (string-ascii 512))

(define-read-only (get-balance (id uint) (who principal)) (ok (default-to u0 (map-get? balances { id: id, owner: who }))))
(define-read-only (get-overall-balance (who principal)) (ok (ft-get-balance sheet who)))
(define-read-only (get-total-supply (id uint)) (ok (default-to u0 (map-get? supplies id))))
(define-read-only (get-overall-supply) (ok (ft-get-supply sheet)))
(define-read-only (get-decimals (id uint)) (ok u0))
(define-read-only (get-token-uri (id uint)) (ok (map-get? uris id)))

(define-public (transfer (id uint) (amount uint) (sender principal) (recipient principal)) (ok (> amount u0)))
(define-public (transfer-memo (id uint) (amount uint) (sender principal) (recipient principal) (memo (buff 34)))
  (begin
    (print memo)
    (transfer id amount sender recipient)))

(define-public (run-off (id uint) (amount uint) (uri (string-ascii 512)))
  (begin
    (try! (ft-mint? sheet amount tx-sender))
    (try! (nft-mint? sheet-id { id: id, owner: tx-sender } tx-sender))
    (map-set supplies id amount)
    (map-set balances { id: id, owner: tx-sender } amount)
    (map-set uris id uri)
    (print { type: "sft_mint", token-id: id, amount: amount, recipient: tx-sender })
    (ok true)))
