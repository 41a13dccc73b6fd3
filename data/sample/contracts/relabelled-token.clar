;; A SIP-010 token that has its name and its URI from a call of its owner, after the deploy.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token relabelled)
(define-data-var owner principal tx-sender)
(define-data-var name (string-ascii 32) "Blank Label")
(define-data-var token-uri (optional (string-utf8 1024)) none)

(define-read-only (get-name) (ok (var-get name)))
(define-read-only (get-symbol) (ok "LABEL"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance relabelled who)))
(define-read-only (get-total-supply) (ok (ft-get-supply relabelled)))
(define-read-only (get-token-uri) (ok (var-get token-uri)))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? relabelled amount sender recipient)))

(define-public (relabel (new-name (string-ascii 32)) (new-uri (string-utf8 1024)))
  (begin
    (asserts! (is-eq tx-sender (var-get owner)) (err u401))
    (var-set name new-name)
    (ok (var-set token-uri (some new-uri)))))
